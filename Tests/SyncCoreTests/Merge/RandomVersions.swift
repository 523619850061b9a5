import JSONText
import SyncCore
import SyncModel
import TestSupport

/// Versions of one record at random, close enough to each other that all their fields meet.
struct RandomVersions {
    static let rules = [
        MergeRules(),
        MergeRules(defaults: ["hasWatched": false]),
        MergeRules(fields: ["rating": .max, "first": .min, "tags": .set]),
        MergeRules(
            defaults: ["hasWatched": false, "rating": 0], fields: ["rating": .max, "first": .min, "tags": .set]),
        MergeRules(defaults: ["hasWatched": false], fields: ["tags": .set], byRecord: true),
    ]

    let rules: MergeRules
    var random: SeededRandom

    init(_ rules: MergeRules, seed: UInt64) {
        self.rules = rules
        random = SeededRandom(seed)
    }

    private static let values: [String: [JSONValue]] = [
        "title": ["A", "B", "C"], "hasWatched": [false, true], "rating": [0, 1, 2, 2.5, "x"], "first": [1, 2, "y"],
        "\u{E9}": [1, 2, "\u{E9}", "e\u{301}"],
        "tags": [
            ["\u{E9}"], ["e\u{301}", "a"], ["a"], ["b", "a"], ["a", "c"], ["c"], [""], ["a/b", "_"], ["0", "1"],
            ["\u{1F3FD}"],
        ], "note": ["n"],
    ]

    mutating func stamp() -> Stamp {
        Stamp(physical: UInt64(1 + random.below(5)), counter: 0, node: NodeID(UInt64(1 + random.below(2))))
    }

    mutating func next() -> StampedContent {
        let common = stamp()
        var fields: [String: JSONValue] = [:]
        var stamps = FieldStamps(common)
        for name in RandomVersions.values.keys.sorted() {
            let own = rules.byRecord || random.chance(50) ? nil : random.chance(10) ? Stamp.zero : stamp()
            // One name may be composed in two ways.
            let spelled = name == "\u{E9}" && random.chance(50) ? "e\u{301}" : name
            if !random.chance(20) { fields[spelled] = random.pick(RandomVersions.values[name] ?? []) }
            if let own { stamps.named[name] = own }
        }
        if rules.fields["tags"] == .set {
            for member in ["a", "b", "c", "\u{E9}", "a/b", "", "_", "%", "0", "1", "2", "\u{1F3FD}"]
            where random.chance(30) {
                stamps.named["tags/" + member] = stamp()
            }
        }
        return StampedContent(Content(fields: fields), stamps)
    }
}
