internal import ControlAPI
internal import SyncModel

/// Which records a list shows.
struct RecordChoice: Hashable, Sendable {
    var filter = RecordFilter.all
    /// What stands for films in keys: only these are shown; nil where it does not matter.
    var films: Set<String>?

    var isAll: Bool { filter == .all && films == nil }

    func includes(_ record: RecordReply) -> Bool {
        guard filter == .all || filter.matches(record.fields) else { return false }
        guard let films else { return true }
        return record.isAmong(films)
    }
}
