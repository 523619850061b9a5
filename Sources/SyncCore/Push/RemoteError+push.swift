package import SyncModel

extension RemoteError {
    /// Whether it is said of just this request: another one may be answered.
    package var isOfWhatIsAskedFor: Bool { [.refused, .denied, .tooLarge].contains(code) }

    /// An answered read did not show the ETag that the next write needs, or that tells the database from a proxy.
    package static func noETag(_ read: some CustomStringConvertible) -> RemoteError {
        RemoteError(.noETag, "the answer to reading \(read) has no ETag: is there a proxy that removes it?")
    }

    /// Others changed the record each time that it was about to be written.
    static func contended(_ id: RecordID) -> RemoteError {
        RemoteError(.contended, "\(id) was changed by others again and again while it was being written")
    }
}

extension RemoteError.Code {
    static let noETag = RemoteError.Code("noETag")
    static let contended = RemoteError.Code("contended")
}
