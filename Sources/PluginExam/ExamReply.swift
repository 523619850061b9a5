internal import PluginWire
internal import SyncModel

/// All that a plugin answered to one call.
struct ExamReply: Sendable {
    let items: [JSONValue]
    let end: Result<JSONValue, PluginError>

    /// What stands after `ok`; a failure where the call failed.
    func ok(_ call: String) throws -> JSONValue {
        do { return try end.get() } catch { throw ExamFailure("it answers \(call) with the error \(error)") }
    }

    /// The error that the call failed with; nil where it did not.
    var error: PluginError? { if case .failure(let error) = end { error } else { nil } }

    /// Throws a skip where a service that the plugin needs does not answer, and need not.
    func skipping(unless isLive: Bool) throws -> ExamReply {
        guard let error, !isLive else { return self }
        switch error.code {
        case .unavailable, .unauthorized, .limited: throw ExamSkip("\(error)")
        default: return self
        }
    }
}
