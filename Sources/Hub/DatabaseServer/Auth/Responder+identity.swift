internal import DatabaseTree
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import SecurityRules

extension Responder {
    /// Who sends the request. Nothing is checked that is not needed: where no rules hold everybody may do everything,
    /// with any credential or none.
    ///
    /// A stream outlives the rules of this moment, so its credential is checked all the same, and one that can't be
    /// verified is nobody's.
    func identity(_ request: RestRequest) async throws(Refusal) -> Identity {
        if rulesStore.rules(request.database) != nil || needsAdministrator(request) {
            return try await credentials.identity(of: request.credential)
        }
        guard request.wantsStream else { return .nobody }
        return (try? await credentials.identity(of: request.credential)) ?? .nobody
    }

    /// The rules themselves are shown and changed to administrators only, once there are rules or a secret.
    private func needsAdministrator(_ request: RestRequest) -> Bool {
        switch request.target {
        case .data, .priority, .setting(.info): return false
        case .setting: break
        }
        return rulesStore.rules(request.database) != nil || credentials.hasSecret
    }

    /// Throws where the sender may not change the settings of the database.
    func checkSettings(_ request: RestRequest) async throws(Refusal) {
        try checkAdministrator(request)
        if !needsAdministrator(request) { try await checkDatabase(request) }
    }

    func checkAdministrator(_ request: RestRequest) throws(Refusal) {
        if case .client = request.principal, needsAdministrator(request) { throw .permissionDenied }
    }
}
