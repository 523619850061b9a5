import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// What is no set where a collection declares one: `docs/protocol.md` section 4.
struct SetFieldTests {
    typealias Machine = MachineUnderTest

    static let others: [JSONValue] = ["x", 3, true, [1, 2], ["a", ["b"]], ["a": false], ["a": "b"]]

    private func edit(_ tags: JSONValue) -> String {
        let fields = String(decoding: JSONWriter.text(["title": "A", "tags": tags]), as: UTF8.self)
        return #"{"op":"create","id":"\#(Machine.id(1))","fields":\#(fields)}"#
    }

    private func put(_ tags: JSONValue, _ stamp: Stamp?, into machine: Machine) {
        machine.put(
            1,
            .record(
                fields: [
                    "identifier": .string(Machine.id(1).description), "title": "A", "hasWatched": false, "tags": tags,
                ], stamps: stamp.map { RemoteStamps($0) }))
    }

    @Test(arguments: others)
    func `a line that sets it to something else is rejected`(tags: JSONValue) throws {
        let machine = try Machine(merging: ["tags": .set])
        try machine.goLive()
        let rejected = try machine.edit(edit(tags))
        #expect(rejected.map(\.defect.code) == [.invalidValue])
        #expect(rejected.first?.defect.message.hasPrefix("\"tags\" is \(tags.kind), but must be ") == true)
        #expect(try machine.title(1) == nil)
    }

    @Test(
        arguments: [
            ["a", "b"], ["a", .null], ["a": true, "b": true], ["0": true, "1": true], ["1": true, "2": true], .null, [],
        ] as [JSONValue])
    func `a set is taken`(tags: JSONValue) throws {
        let machine = try Machine(merging: ["tags": .set])
        try machine.goLive()
        #expect(try machine.edit(edit(tags)).isEmpty)
        #expect(try machine.title(1) == "A")
    }

    @Test func `one edit of a set is one change, in whatever order its members are written`() throws {
        let machine = try Machine(merging: ["tags": .set])
        put(["m", "x"], Machine.stamp(50_000), into: machine)
        try machine.goLive()
        let last = try machine.read { try $0.changes(after: 0, limit: 99) }.map(\.sequence).max() ?? 0
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"tags":["x","app","m","x"]}}"#)
        try machine.settleWithPauses(10)
        #expect(try machine.read { try $0.changes(after: last, limit: 99) }.count == 1)
        #expect(try machine.record(1).state.view?.fields["tags"] == ["app", "m", "x"])
        #expect(try machine.record(1).pending == .no && machine.record(1).state.remote?.stamp != nil)
    }

    @Test func `an app's set that nobody merges stays as it is, in its order`() throws {
        let machine = try Machine(merging: ["tags": .set])
        put(["x", "app", "m"], nil, into: machine)
        try machine.goLive()
        try machine.settleWithPauses(10)
        #expect(try machine.record(1).state.view?.fields["tags"] == ["x", "app", "m"])
        #expect(try machine.counts().pending == 0 && !machine.calls.contains(where: \.isWrite))
    }

    /// The stamp of a member stands under its name.
    @Test(
        arguments: [
            (String(repeating: "x", count: 769), 769), (String(repeating: "/", count: 257), 771),
            (String(repeating: "7", count: 767), 769),
        ])
    func `a member that is too long for a key is rejected`(member: String, bytes: Int) throws {
        let machine = try Machine(merging: ["tags": .set])
        try machine.goLive()
        let rejected = try machine.edit(edit(["a", .string(member)]))
        #expect(rejected.map(\.defect.code) == [.invalidValue])
        #expect(rejected.first?.defect.message.contains("\(bytes) bytes, more than 768") == true)
        #expect(try machine.edit(edit(["a", .string(String(member.dropLast(3)))])).isEmpty)
        try machine.settle()
        put(["a", .string(member)], nil, into: machine)
        try machine.tell(Machine.id(1))
        #expect(try machine.quarantine().contains(.unreadableRecord))
    }

    @Test(arguments: [nil, Machine.stamp(50_000)])
    func `trues under numbers are a set, though the database shows them as an array`(stamp: Stamp?) throws {
        let machine = try Machine(merging: ["tags": .set])
        put([.null, true, true], stamp, into: machine)
        try machine.goLive()
        #expect(try machine.quarantine().isEmpty)
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"tags":{"0":true,"2":true}}}"#)
        try machine.settleWithPauses()
        #expect(try machine.record(1).state.view?.fields["tags"] == [true, .null, true])
        guard case .record(let fields, _) = machine.server.entry(Machine.id(1).description).value else {
            Issue.record("there is no record")
            return
        }
        #expect(fields["tags"] == [true, .null, true])
    }

    @Test(arguments: others, [nil, Machine.stamp(50_000)])
    func `what the remote shows instead goes to quarantine, and is not written over`(
        tags: JSONValue, stamp: Stamp?
    ) throws {
        let machine = try Machine(merging: ["tags": .set])
        put(tags, stamp, into: machine)
        try machine.goLive()
        #expect(try machine.quarantine() == [.unreadableRecord])
        try machine.edit(edit(["a"]))
        try machine.settle()
        #expect(machine.calls.allSatisfy { !$0.isWrite })
        put(["b"], Machine.stamp(0), into: machine)
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.quarantine().isEmpty && machine.record(1).pending == .no)
    }

    @Test(arguments: [["x"], ["q"], ["z"], ["x", "z", "q"]] as [[String]])
    func `what an app makes of a set stays, also of members that were added one by one`(shown: [String]) throws {
        let machine = try Machine(merging: ["tags": .set])
        try machine.goLive()
        try machine.edit(edit(["x"]))
        try machine.settle()
        try machine.edit(
            #"{"op":"update","id":"\#(Machine.id(1))","fields":{"tags":["x","z"]}}"#)
        try machine.settle()
        try machine.pass(1000)
        put(.array(shown.map { .string($0) }), nil, into: machine)
        try machine.tell(Machine.id(1))
        try machine.settle()
        let own = try machine.record(1)
        guard case .record(let fields, _) = machine.server.entry(Machine.id(1).description).value else {
            Issue.record("there is no record")
            return
        }
        for tags in [fields["tags"], own.state.view?.fields["tags"]] {
            #expect(Set(tags.flatMap(\.elements)?.compactMap(\.text) ?? []) == Set(shown))
        }
        #expect(own.pending == .no)
    }

    /// Both had seen what an app wrote; only one of them has deleted it.
    @Test func `a member that was added after a delete brings the record back`() throws {
        let machine = try Machine(merging: ["tags": .set])
        machine.put(1, Machine.film(1, "app's"))
        try machine.goLive()
        try machine.edit(Machine.delete(1))
        try machine.settle()
        #expect(try machine.title(1) == nil)
        let added = Stamp(physical: machine.wall + 5, counter: 0, node: Machine.other)
        let version = Stamp(physical: machine.wall + 9, counter: 0, node: Machine.other)
        try machine.pass(1000)
        machine.put(
            1,
            .record(
                fields: [
                    "identifier": .string(Machine.id(1).description), "title": "app's", "hasWatched": false,
                    "tags": ["new"],
                ],
                stamps: RemoteStamps(version, fields: FieldStamps(.zero, named: ["tags/new": added]))))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(try machine.title(1) == "app's" && machine.titleThere(1) == "app's")
    }
}

extension JSONValue {
    fileprivate var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}
