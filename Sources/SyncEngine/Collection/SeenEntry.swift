internal import JSONText
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// An entry of a keyspace in the words of its collection.
struct SeenEntry: Sendable {
    enum Sight: Sendable {
        case record(Reading)
        case tombstone(KnownTombstone?)
        case unreadable(Defect)
    }

    /// Nil where the key is no UUID.
    var id: RecordID?
    /// The key as it stands in the remote.
    var key: String
    var sight: Sight
    var serverTime: UInt64?
    var etag: String?

    /// The key where it is not the upper-case id.
    var oddKey: String? { id?.description == key ? nil : key }

    var isAbsent: Bool {
        if case .record(.absent) = sight { true } else { false }
    }
}

/// Reads entries of one collection, with care: bodies that can't be a record become defects, never errors.
struct EntryReader: Sendable {
    private let plugin: any CollectionPlugin
    private let identifyingKeys: [String]

    init(plugin: any CollectionPlugin) {
        self.plugin = plugin
        identifyingKeys = plugin.identifyingKeys
    }

    func read(_ entry: RemoteEntry) -> SeenEntry {
        var seen = SeenEntry(
            id: RecordID(entry.key), key: entry.key, sight: .record(.absent), serverTime: entry.serverTime,
            etag: entry.etag)
        guard seen.id != nil else {
            if entry.value == .absent { return seen }
            seen.sight = .unreadable(Defect(.unreadableRecord, "the key \"\(entry.key.prefix(80))\" is no UUID"))
            return seen
        }
        switch entry.value {
        case .absent: break
        case .unreadable(let defect): seen.sight = .unreadable(defect)
        case .tombstone(let stamp, let ended):
            seen.sight = .tombstone(KnownTombstone(stamp: stamp, ended: ended, etag: entry.etag))
        case .record(let fields, let stamp): seen.sight = record(fields, stamp)
        }
        return seen
    }

    private func record(_ fields: [String: JSONValue], _ stamp: Stamp?) -> SeenEntry.Sight {
        var fields = fields
        for key in identifyingKeys { fields[key] = nil }
        if let stamp { return .record(.stamped(Content(fields: fields), stamp)) }
        do {
            let understood = try plugin.normalized(fields)
            let named = understood.filter { fields[$0.key] != nil }
            let defaults = understood.filter { fields[$0.key] == nil }
            return .record(.foreign(named: named, defaults: defaults))
        } catch {
            return .unreadable(Defect(.unreadableRecord, error.message))
        }
    }
}

extension CollectionPlugin {
    /// The names of the keys that ``identityFields(_:)`` gives; they are the same for every record.
    var identifyingKeys: [String] { Array(identityFields(RecordID(high: 0, low: 0)).keys) }
}
