/// What can go wrong in a run; each has its word on the command line.
package enum Fault: String, CaseIterable, Hashable, Sendable {
    // MARK: Requests

    /// Never arrives; the node waits until its time limit.
    case lost
    /// Is carried out, but the answer never arrives.
    case answerLost
    /// Arrives twice.
    case duplicated
    case delayed
    /// 400
    case badRequest
    /// 401, of the credential
    case unauthorized
    /// 401 "Permission denied"
    case denied
    /// 403
    case forbidden
    /// 412 although the condition holds
    case contended
    /// 413
    case tooLarge
    /// 423
    case locked
    /// 429
    case tooMany
    /// 500, carried out or not
    case serverError
    /// 503 with Retry-After
    case unavailable
    /// The answer ends in the middle.
    case truncated
    /// A proxy takes the ETags off.
    case noETag
    /// A proxy answers `null` to whoever reads, and has no ETag.
    case falseNull
    /// No connection at all.
    case partition

    // MARK: Streams

    case silent
    case cut
    /// The whole snapshot is sent again.
    case repeated
    case cancel
    case revoked

    // MARK: Machines

    case crash
    /// A commit fails.
    case diskFull
    case clockOff
    case clockSteps
    /// A copy of the state runs beside it, and does not notice.
    case sameID
    /// An old copy of the state is put back.
    case restored

    // MARK: The database

    /// It is set back to what it was before.
    case databaseSetBack

    // MARK: The journal

    case journalTorn
    case journalRotated
    case journalTruncated
    case journalRewritten

    /// What happens to the requests and streams of a node for a while.
    static let weather: [Fault] = [
        .lost, .answerLost, .duplicated, .delayed, .badRequest, .unauthorized, .denied, .forbidden, .contended,
        .tooLarge, .locked, .tooMany, .serverError, .unavailable, .truncated, .noETag, .falseNull, .partition, .silent,
        .cut, .repeated, .cancel, .revoked, .diskFull,
    ]
}
