internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What waits for somebody at a record.
struct Concern: Sendable {
    /// In one line for people; nil where nothing waits.
    var words: String?
    /// Whether it is what the remote shows of the record: until somebody decides, nobody believes what is there.
    var isOfRemote = false
}

extension Transaction {
    /// What waits for somebody at a record: the version itself, edits beside it, or what the remote shows.
    func waiting(at stored: StoredRecord) throws -> Concern {
        let key = stored.state.key
        let words = try stored.pending == .blocked ? blockage(of: stored) : concern(of: stored.state)
        if try held(key).contains(where: { try hold($0.hold)?.direction == .pull }) {
            return Concern(words: words, isOfRemote: true)
        }
        let isOfRemote = try items(at: stored.state).contains { $0.source == .pull && !$0.isTombstone }
        return Concern(words: words, isOfRemote: isOfRemote)
    }

    /// Why a record is not pushed until somebody does something; nil where it is not so.
    func blockage(of stored: StoredRecord) throws -> String? {
        guard stored.pending == .blocked else { return nil }
        let key = stored.state.key
        if let hold = try held(key).first.flatMap({ try hold($0.hold) }) {
            return "held (\(hold.word), hold \(hold.number)): \(hold.reason)"
        }
        if let item = try blocking(stored.state).last {
            return "in quarantine (\(item.defect.code.word), item \(item.number)): \(item.defect.message)"
        }
        return "the remote refused this version, and it was given up: edit the record to try again"
    }

    /// What waits for somebody beside the record's present version: in holds and in quarantine.
    func concern(of state: RecordState) throws -> String? {
        if let hold = try held(state.key).first.flatMap({ try hold($0.hold) }) {
            let what = hold.direction == .pull ? "what the remote shows of it" : "an edit of it"
            return "\(what) is held (\(hold.word), hold \(hold.number)): \(hold.reason)"
        }
        guard let item = try items(at: state).last else { return nil }
        let what = item.source == .pull ? "what the remote shows of it" : "an edit of it"
        return "\(what) is in quarantine (\(item.defect.code.word), item \(item.number)): \(item.defect.message)"
    }
}
