package import ControlAPI
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// Records whose keys are made of fields.
extension SyncEngine {
    package func records(in collection: String, under key: String) async throws -> [RecordReply] {
        let name = try known(collection)
        let found = try await context.store.read { transaction in
            try transaction.records(of: name, under: key).map { try transaction.record(RecordKey(name, $0)) }
                .filter { $0.state.view != nil }.map { ($0, try transaction.waiting(at: $0)) }
        }
        return found.compactMap { reply($0, $1) }
    }

    package func record(withKey key: String, in collection: String) async throws -> RecordReply {
        let name = try known(collection)
        let stored = try await context.store.read { try $0.record(RecordKey(name, .named(key, in: name))) }
        guard let reply = try await reply(stored) else { throw ControlError.unknownRecord(key, in: collection) }
        return reply
    }
}
