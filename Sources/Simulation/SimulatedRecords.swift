internal import JSONText
internal import SyncModel

/// The records of a run: which there are, and under which keys they stand in the remote.
struct SimulatedRecords {
    /// How many records a run is about.
    static let count = 7

    let ids: [RecordID]
    /// By id, where keys are made of fields.
    private let named: [RecordID: String]

    /// - Parameter areKeyed: their keys are made of fields; else they are UUIDs in random, some of them derived.
    init(seed: UInt64, areKeyed: Bool) {
        guard !areKeyed else {
            let keys = (0..<SimulatedRecords.count).map { "\(1 + $0 / 3)/\(["anna", "ben", "cem"][$0 % 3])" }
            ids = keys.map { .named($0, in: SimulatedFilms.id) }
            named = Dictionary(uniqueKeysWithValues: zip(ids, keys))
            return
        }
        var numbers = SimulatedRandom(seed, part: 3)
        ids = (0..<SimulatedRecords.count).map { place in
            // Version 4 of UUIDs is random; the others are derived, and two nodes may make the same one.
            let version: UInt64 = place % 3 == 2 ? 0x5000 : 0x4000
            return RecordID(high: numbers.next() & ~0xF000 | version, low: numbers.next() & ~(0b11 << 62) | 0b10 << 62)
        }
        named = [:]
    }

    /// The key under which nodes write a record.
    func key(of id: RecordID) -> String { named[id] ?? id.description }

    /// The keys under which a record may stand: apps write UUIDs in lower case, too.
    func keys(of id: RecordID) -> [String] {
        named[id].map { [$0] } ?? [id.description, id.description.lowercased()]
    }
}
