internal import FirebaseWire
internal import SyncCore
internal import SyncModel

extension EditHistory {
    struct Edit {
        enum Author: Hashable {
            case node(Int)
            case app
        }

        let number: Int
        let id: RecordID
        let field: String
        let value: JSONValue
        let author: Author
        /// The true time at which it was made; of a node's edit the time at which it was applied.
        var at: UInt64
        /// The stamp that it was given where it was made; nil while it was not applied, and of an app's edit.
        var stamp: Stamp?
        /// The edit of the same field that its author saw.
        var saw: Int?
        /// Since when its value stands, or stood, in the remote.
        var remoteAt: UInt64?
        /// Why nobody need find it again.
        var waived: String?
        /// What its operation removes, whether or not it was there.
        var removes: [String] = []
        /// The latest time that its line claims, or one before it of the same record.
        var claimed: UInt64?
    }

    /// A field was removed, or a whole record.
    struct Removal {
        let id: RecordID
        /// Nil for the whole record; the set's for all its members.
        let field: String?
        let at: UInt64
        let stamp: Stamp?
        /// The edits that were visible to its author.
        let saw: Set<Int>
        let byApp: Bool
        /// The node on which it was made.
        var node: Int?
        /// What it ended may come back: a write of it had not been answered.
        var isResidue = false
        /// An app had changed the record, and the node that deleted it had not seen that, nor the later date that another
        /// node has given it.
        var isBlind = false
        /// The node on which a person approved that the record is gone; what was edited there since must survive.
        var approvedOn: Int?

        func isOf(_ name: String) -> Bool {
            field == nil || field == name || field == SimulatedFilms.set && FieldStamps.field(of: name) == field
        }
    }

    /// A person has decided to keep what a node shows, or that its journal counts anew: that was given this stamp.
    struct Decision {
        let id: RecordID
        /// Nil for all fields.
        let field: String?
        let stamp: Stamp
    }

    /// An app has put a value in the place of another one, or a person has confirmed it: it counts as an edit at that time.
    struct Rewrite {
        let id: RecordID
        let field: String?
        let at: UInt64
    }

    /// A node has written what an app wrote, with stamps, and so has dated it.
    struct Dating {
        let id: RecordID
        /// The latest stamp of its fields.
        let newest: Stamp
        /// The version's own.
        let version: Stamp
        let at: UInt64
        /// The edits of apps that stand in it, each with the stamp of its field.
        let edits: [Int: Stamp]
    }

    /// A node's journal was found to be rewritten.
    func foundRewritten(_ node: Int) {
        unread[node] = Set(edits.lazy.filter { $0.author == .node(node) && $0.stamp == nil }.map(\.number))
    }

    /// A person has let reading go on behind what stood in a node's journal when it was found to be rewritten.
    func goesOnBehind(_ node: Int) {
        let passed = unread[node] ?? []
        waive("the journal went on behind it") { passed.contains($0.number) }
    }

    /// A person has dropped a line of a node's journal.
    func givenUp(_ line: String, by node: Int) {
        waive("dropped") { $0.author == .node(node) && $0.stamp == nil && line.contains($0.name) }
    }

    /// A person has dropped what the remote had refused of a node: what the remote has is taken.
    func givenUp(_ id: RecordID, by node: Int, now: UInt64) {
        waive("dropped") { $0.id == id && $0.author == .node(node) && $0.remoteAt == nil }
        for index in removals.indices where removals[index].id == id && removals[index].node == node {
            removals[index].isResidue = true
        }
        confirmed(id, now: now)
    }

    /// A node writes where an app has written, with stamps or without: what is the app's gets one of now.
    func noteDated(_ id: RecordID, _ before: [String: JSONValue], _ after: [String: JSONValue], now: UInt64) {
        guard !before.isEmpty else { return }
        guard let stamps = SimulatedFilms.stamps(of: after) else { return }
        let fields = stamps.fields ?? FieldStamps(stamps.version)
        var edits: [Int: Stamp] = [:]
        for (field, value) in SimulatedFilms.traced(after) {
            guard let edit = edit(field, value), edit.author == .app else { continue }
            edits[edit.number] = fields.stamp(ofTraced: field)
        }
        datings.append(Dating(id: id, newest: fields.newest, version: stamps.version, at: now, edits: edits))
    }

    /// Whether what an app wrote was dated after the edit, and before that came to the remote: its author had not seen the edit,
    /// and it counts as later.
    func isDatedLater(than edit: Edit, byRecord: Bool) -> Bool {
        guard let own = edit.stamp, let remoteAt = edit.remoteAt else { return false }
        return datings.contains { dating in
            guard dating.id == edit.id, dating.at <= remoteAt else { return false }
            return dating.edits.contains { number, stamp in
                stamp > own && (byRecord || edits[number].field == edit.field)
            }
        }
    }

    /// Whether another node has dated what an app wrote after `deletion`, and the one that deletes the record has not seen
    /// that: it ends nothing that is dated later (`docs/protocol.md` section 9).
    func isDatedUnseen(_ state: RecordState, after deletion: Stamp) -> Bool {
        let seen = state.remote?.newestStamp ?? .zero
        return datings.contains { $0.id == state.key.id && $0.newest > deletion && $0.version > seen }
    }

    /// A node puts a record where nothing is, with an edit that was not there yet, and all its fields below what an app has
    /// deleted: it had not seen that version, so to it the delete is one of the older version that it had edited
    /// (`docs/protocol.md` section 8). Who knows the newer version and not yet of the delete writes that again.
    func noteBroughtBack(
        _ id: RecordID, by node: Int, wasRestored: Bool, _ after: [String: JSONValue]
    ) {
        guard let stamp = SimulatedFilms.newestStamp(of: after) else { return }
        let isEdited = SimulatedFilms.traced(after).contains { field, value in
            guard let edit = edit(field, value), edit.author == .node(node) else { return false }
            return edit.remoteAt == nil || wasRestored
        }
        guard isEdited else { return }
        for index in removals.indices where removals[index].id == id && removals[index].byApp {
            guard removals[index].field == nil, let deletion = removals[index].stamp, stamp < deletion else { continue }
            removals[index].isResidue = true
        }
    }
}

extension FieldStamps {
    /// That of a field, or of a member of a set, as ``SimulatedFilms/traced(_:)`` names it.
    func stamp(ofTraced name: String) -> Stamp { named[name] ?? named[FieldStamps.field(of: name)] ?? common }
}
