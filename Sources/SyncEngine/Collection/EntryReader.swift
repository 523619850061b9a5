internal import JSONText
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// Reads entries of one collection, with care: bodies that can't be a record become defects, never errors.
struct EntryReader: Sendable {
    private let plugin: any CollectionPlugin
    private let identityFieldNames: [String]

    init(plugin: any CollectionPlugin) {
        self.plugin = plugin
        identityFieldNames = plugin.identityFieldNames
    }

    func read(_ entry: RemoteEntry) -> ObservedEntry {
        var observed = ObservedEntry(
            id: RecordID(entry.key), key: entry.key, value: .record(.absent), serverTime: entry.serverTime,
            etag: entry.etag)
        guard observed.id != nil else {
            if entry.value == .absent { return observed }
            observed.value = .unreadable(Defect(.unreadableRecord, "the key \"\(entry.key.prefix(80))\" is no UUID"))
            return observed
        }
        switch entry.value {
        case .absent: break
        case .unreadable(let defect): observed.value = .unreadable(defect)
        case .tombstone(let stamp, let ended):
            observed.value = .tombstone(KnownTombstone(stamp: stamp, contentHash: ended, etag: entry.etag))
        case .record(let fields, let stamp): observed.value = record(fields, stamp)
        }
        return observed
    }

    private func record(_ fields: [String: JSONValue], _ stamp: Stamp?) -> ObservedEntry.Value {
        var fields = fields
        for key in identityFieldNames { fields[key] = nil }
        if let stamp { return .record(.stamped(Content(fields: fields), stamp)) }
        do {
            let normalized = try plugin.normalized(fields)
            let named = normalized.filter { fields[$0.key] != nil }
            let defaults = normalized.filter { fields[$0.key] == nil }
            return .record(.foreign(named: named, defaults: defaults))
        } catch {
            return .unreadable(Defect(.unreadableRecord, error.message))
        }
    }
}

extension CollectionPlugin {
    /// The names of the keys that ``identityFields(_:)`` gives; they are the same for every record.
    var identityFieldNames: [String] { Array(identityFields(RecordID(high: 0, low: 0)).keys) }
}
