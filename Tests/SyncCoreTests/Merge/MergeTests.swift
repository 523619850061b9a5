import FirebaseWire
import JSONText
import LocalStore
import SyncCore
import SyncModel
import TestSupport
import Testing

/// `docs/protocol.md` section 4: merging gives the same result in any order, with any repetition.
struct MergeTests {
    private func merged(_ left: StampedContent, _ right: StampedContent, _ rules: MergeRules) -> StampedContent {
        .merged(left, right, rules)
    }

    @Test(arguments: RandomVersions.rules.indices)
    func `merging is commutative, associative and idempotent`(index: Int) {
        let rules = RandomVersions.rules[index]
        var versions = RandomVersions(rules, seed: UInt64(index))
        for round in 0..<1000 {
            let (one, two, three) = (versions.next(), versions.next(), versions.next())
            let both = merged(one, two, rules)
            #expect(merged(two, one, rules) == both, "commutative, round \(round)")
            #expect(
                merged(both, three, rules) == merged(one, merged(two, three, rules), rules),
                "associative, round \(round)")
            #expect(merged(one, one, rules) == one, "idempotent, round \(round)")
            #expect(merged(both, one, rules) == both, "idempotent once merged, round \(round)")
            #expect(merged(two, both, rules) == both, "idempotent once merged, round \(round)")
        }
    }

    @Test(arguments: RandomVersions.rules.indices)
    func `versions and deletes come to the same whatever their order`(index: Int) throws {
        let rules = RandomVersions.rules[index]
        var versions = RandomVersions(rules, seed: UInt64(index))
        for round in 0..<200 {
            let shown = (0..<4).map { _ in versions.next() }
            let deletions = (0..<2).map { _ in versions.stamp().successor }
            var results: Set<KnownVersion> = []
            for _ in 0..<4 {
                var record = RecordUnderTest(rules)
                var steps = Array(0..<6)
                steps.shuffle(using: &versions.random)
                for step in steps + steps.prefix(2) {
                    if step < 4 {
                        try record.merges(shown[step], shown[step].newest)
                    } else {
                        _ = record.seesTombstone(deletions[step - 4])
                    }
                }
                results.insert(record.state.known)
                let isDead = (record.state.known.fields?.newest ?? .zero) <= (record.state.known.deletion ?? .zero)
                #expect(
                    record.state.known.isDeleted == isDead && (record.state.view == nil) == isDead, "round \(round)")
            }
            #expect(results.count == 1, "round \(round)")
        }
    }

    @Test(arguments: RandomVersions.rules.indices)
    func `what is merged comes back as it was from the wire, as the database keeps it`(index: Int) throws {
        let rules = RandomVersions.rules[index]
        var versions = RandomVersions(rules, seed: UInt64(index))
        for round in 0..<1000 {
            let sent = merged(versions.next(), versions.next(), rules)
            let stamp = sent.newest.successor
            let write = RemoteWrite(
                key: "K",
                body: .record(sent.content, identityFields: ["identifier": "K"], fieldStamps: sent.stamps), stamp: stamp
            )
            var body: [UInt8] = []
            EntrySpelling.append(write, to: &body)
            let kept = try #require(try JSONReader.value(body).pruned)
            let entry = EntrySpelling.entry("K", kept, in: .records("movies"))
            guard case .record(var fields, let stamps?) = entry.value else { throw Unreadable() }
            fields["identifier"] = nil
            let back = StampedContent(Content(fields: fields), stamps.fields ?? FieldStamps(stamps.version))
            #expect(back == sent && stamps.version == stamp, "round \(round)")
        }
    }

    private struct Unreadable: Error {}

    @Test(arguments: RandomVersions.rules.indices)
    func `what is merged comes back as it was from the store`(index: Int) throws {
        let rules = RandomVersions.rules[index]
        var versions = RandomVersions(rules, seed: UInt64(index))
        let store = try LocalStore(StateInMemory(), identity: "here", newNode: NodeID(1))
        for number in 0..<200 as Range<UInt64> {
            var state = RecordState(RecordKey("movies", RecordID(high: 1, low: number)))
            state.known = KnownVersion(
                fields: merged(versions.next(), versions.next(), rules),
                deletion: versions.random.chance(30) ? versions.stamp() : nil)
            state.stamp = state.known.fields?.newest
            let remote = versions.next()
            state.base = .present(
                RemoteSnapshot(stamp: remote.newest, content: remote.content, fieldStamps: remote.stamps))
            let given = state
            let back = try store.writeNow { transaction in
                var stored = try transaction.record(given.key)
                stored.state = given
                try transaction.save(stored, pending: .no, now: 1)
                return try transaction.record(given.key).state
            }.result
            #expect(back == given, "record \(number)")
        }
    }

    // MARK: Single rules

    private func version(_ fields: [String: JSONValue], _ common: UInt64, _ named: [String: UInt64] = [:])
        -> StampedContent
    {
        StampedContent(
            Content(fields: fields),
            FieldStamps(RecordUnderTest.at(common), named: named.mapValues { RecordUnderTest.at($0) }))
    }

    @Test func `of each field the higher stamp wins`() {
        let one = version(["title": "A", "note": "x"], 1, ["note": 9])
        let other = version(["title": "B", "note": "y"], 5)
        #expect(merged(one, other, MergeRules()) == version(["title": "B", "note": "x"], 5, ["note": 9]))
    }

    @Test func `a field that was removed stays removed, as long as the record lives`() {
        let removed = version(["title": "A"], 1, ["note": 9])
        let other = version(["title": "A", "note": "y"], 5)
        #expect(merged(removed, other, MergeRules()) == version(["title": "A"], 5, ["note": 9]))
    }

    @Test func `a value that nobody chose loses to any that somebody did`() {
        let rules = MergeRules(defaults: ["hasWatched": false])
        let watched = version(["title": "A", "hasWatched": true], 1)
        let later = version(["title": "A", "hasWatched": false], 5)
        #expect(merged(watched, later, rules).content == watched.content)
        let chosen = version(["title": "A", "hasWatched": false], 5, ["hasWatched": 5])
        #expect(merged(watched, chosen, rules).content == chosen.content)
    }

    @Test func `a number with a rule is never taken back`() {
        let rules = MergeRules(fields: ["rating": .max, "first": .min])
        let one = version(["rating": 4, "first": 1990], 1)
        let later = version(["rating": 3, "first": 1995], 5)
        #expect(merged(one, later, rules) == version(["rating": 4, "first": 1990], 5))
        let text = version(["rating": "five", "first": 1980], 9)
        #expect(merged(one, text, rules).content == Content(fields: ["rating": 4, "first": 1980]))
    }

    @Test(
        arguments: [
            (.integer(1 << 53), .integer((1 << 53) + 1)), (.integer((1 << 60) + 100), .integer((1 << 60) + 101)),
            (.integer(-(1 << 60) - 1), .integer(-(1 << 60))), (.integer((1 << 53) + 1), .number(0x1p53 + 2)),
            (.number(-0.5), .integer(0)), (.integer(-1), .number(-0.5)), (.integer(2), .number(2.5)),
            (.integer(.max), .number(1e300)), (.number(-1e300), .integer(.min)), (.number(1e299), .number(1e300)),
        ] as [(JSONValue, JSONValue)])
    func `whole numbers are compared exactly, and with others, too`(_ low: JSONValue, _ high: JSONValue) {
        let rules = MergeRules(fields: ["rating": .max, "first": .min])
        for (one, other) in [(low, high), (high, low)] {
            let both = merged(
                version(["rating": one, "first": one], 1), version(["rating": other, "first": other], 5), rules)
            #expect(both.content == Content(fields: ["rating": high, "first": low]))
        }
    }

    @Test func `members of a set are merged one by one`() {
        let rules = MergeRules(fields: ["tags": .set])
        let one = version(["tags": ["a", "b"]], 1, ["tags/b": 3])
        let other = version(["tags": ["c"]], 1, ["tags/a": 4, "tags/c": 2])
        #expect(merged(one, other, rules).content == Content(fields: ["tags": ["b", "c"]]))
    }

    @Test func `members that are numbers are merged like others, though their object comes back as an array`() {
        let rules = MergeRules(fields: ["tags": .set])
        let one = version(["tags": ["0": true, "1": true]], 1)
        let other = version(["tags": ["1": true, "2": true]], 1, ["tags/0": 4, "tags/2": 2])
        #expect(merged(one, other, rules).content == Content(fields: ["tags": ["1": true, "2": true]]))
        let named = version(["tags": ["a": true]], 1, ["tags/a": 3])
        let all: JSONValue = ["0": true, "1": true, "a": true]
        #expect(merged(one, named, rules).content == Content(fields: ["tags": all]))
    }

    @Test(arguments: [["a", nil, "c"], ["0": "a", "2": "c"], ["7": "c", "3": "a"]] as [JSONValue])
    func `what the database leaves of a list that single texts were removed from has the members of the rest`(
        left: JSONValue
    ) {
        let rules = MergeRules(fields: ["tags": .set])
        let one = version(["tags": left], 2)
        let other = version(["tags": ["a", "b"]], 1, ["tags/b": 3])
        #expect(merged(one, other, rules).content == Content(fields: ["tags": ["a", "b", "c"]]))
    }

    @Test(arguments: ["\u{200D}x", "\u{1F3FD}", "\u{301}"])
    func `a member that was removed is remembered, also where it makes one character with a slash`(member: String) {
        let rules = MergeRules(fields: ["tags": .set])
        let name = FieldStamps.member(member, of: "tags")
        #expect(FieldStamps.field(of: name) == "tags")
        let removed = merged(version(["title": "A"], 1, [name: 5]), version(["title": "B"], 3), rules)
        #expect(removed.stamps.named[name] == RecordUnderTest.at(5))
        #expect(removed.stamps.latest(of: "tags", to: nil, rules) == RecordUnderTest.at(5))
        let stale = version(["title": "A", "tags": [.string(member)]], 4)
        #expect(merged(removed, stale, rules).content.fields["tags"] == nil)
    }

    @Test(arguments: ["sci/fi", "a.b", "", "\n", String(repeating: "x", count: 769)])
    func `an object of trues becomes a list with a member that can be no key`(member: String) {
        let rules = MergeRules(fields: ["tags": .set])
        let one = version(["tags": ["b": true]], 1)
        let other = version(["tags": ["b", .string(member)]], 1, [FieldStamps.member(member, of: "tags"): 3])
        for both in [merged(one, other, rules), merged(other, one, rules)] {
            guard case .array(let members)? = both.content.fields["tags"] else {
                Issue.record("\(both.content.fields)")
                continue
            }
            #expect(Set(members.compactMap(\.text)) == ["b", member])
            #expect(merged(both, one, rules) == both)
        }
        let legal = version(["tags": ["b", "c"]], 1, ["tags/c": 3])
        #expect(merged(one, legal, rules).content == Content(fields: ["tags": ["b": true, "c": true]]))
    }

    @Test func `a set whose last member was removed remembers which it was`() {
        let rules = MergeRules(fields: ["tags": .set])
        let emptied = version(["title": "A"], 1, ["tags/a": 5])
        let without = version(["title": "B"], 3)
        let stale = version(["title": "A", "tags": ["a"]], 4)
        let removed = merged(merged(emptied, without, rules), stale, rules)
        #expect(removed.content.fields["tags"] == nil)
        #expect(removed == merged(emptied, merged(without, stale, rules), rules))
    }
}
