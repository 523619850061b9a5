internal import PluginKit
internal import SyncModel

extension EngineContext {
    /// Asks something of the remote as a person, where they have signed in, and notes where their session has ended; in one
    /// that has taken its place meanwhile it is asked anew.
    ///
    /// - Throws: as ``PersonSessions/remote(as:_:number:)`` and `body`; `personUnreachable` where the remote does not take the
    ///   person's credential, which says nothing of the daemon's.
    func acting<Result>(
        as person: String, _ body: (any Remote) async throws -> Result
    ) async throws -> Result {
        // The number first, so that what acts at a remote of before is never taken for one of now.
        let (number, shared) = (sessionNumber, remote)
        let (own, session) = try people.remote(as: person, shared, number: number)
        do {
            return try await body(own)
        } catch let error as RemoteError where error.code == .sessionEnded {
            guard let session else { throw error }
            if let ended = people.ended(session, error) { throw ended }
            return try await acting(as: person, body)
        } catch let error as RemoteError where error.code == .unauthorized && session != nil {
            throw RemoteError(.personUnreachable, error.message)
        }
    }
}
