import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Events hint, reads decide: `docs/protocol.md` section 8.
struct StreamTests {
    typealias Machine = MachineUnderTest

    private func unconfirmed(_ machine: Machine) -> Int { machine.machine.unconfirmed }

    @Test func `a token that ends as soon as it began to count is no reason for haste`() throws {
        let machine = try Machine.live(3)
        func end() throws {
            let stream = try #require(machine.streams[Machine.records])
            try machine.take(
                .streamEnded(Machine.records, stream: stream.number, RemoteError(.tokenEnded, "auth_revoked")))
        }
        func opened() -> Int? { machine.streams[Machine.records]?.number }
        try machine.pass(60_000)
        let first = opened()
        try end()
        #expect(opened() != first, "a token that has lived is replaced at once")
        let second = opened()
        try end()
        #expect(opened() == second)
        try machine.pass(60_000)
        #expect(opened() != second)
    }

    // MARK: Large loads

    @Test func `a first load of thousands of an app's films asks for nothing`() throws {
        let machine = try Machine()
        for number in 0..<3000 as Range<UInt64> { machine.put(number, Machine.film(number, "F")) }
        try machine.goLive()
        #expect(machine.calls.isEmpty)
        #expect(try machine.counts().records == 3000 && machine.counts().pending == 0)
    }

    @Test func `many hints are read in pages in the order of keys, with few requests`() throws {
        let machine = try Machine.live(1200)
        for number in 0..<900 as Range<UInt64> { machine.put(number, Machine.film(number, "app's")) }
        try machine.reconnect()
        try machine.snapshot()
        var firsts: [String] = []
        while let request = machine.open.first, !request.call.isWrite {
            if case .readRange(let first?, _, _, _) = request.call { firsts.append(first) }
            try machine.answer()
        }
        #expect(firsts == firsts.sorted() && firsts.count >= 2)
        #expect(machine.calls.count { if case .read = $0 { true } else { false } } <= 64 + 64)
        #expect(try machine.title(899) == "app's" && machine.title(900) == "F900")
        #expect(try machine.holds().isEmpty)
    }

    @Test func `a record whose reading is denied goes to quarantine while others go on`() throws {
        let machine = try Machine.live(9)
        for number in [1, 2] as [UInt64] {
            machine.put(number, Machine.film(number, "app's"))
            try machine.tell(Machine.id(number))
        }
        while let request = machine.open.first {
            let isSecret = request.call == .read(Machine.id(1).description, Machine.records)
            try machine.answer(isSecret ? RemoteError(.denied, "Permission denied") : nil)
        }
        #expect(try machine.quarantine() == [.unreadableRecord])
        #expect(try machine.title(1) == "F1" && machine.title(2) == "app's")
        try machine.edit(Machine.update(1, "mine"))
        #expect(try machine.record(1).pending == .blocked && machine.open.isEmpty)
    }

    // MARK: Updates of unknown records

    @Test func `two updates of an unknown record keep their order, and apply when it comes by an event`() throws {
        let machine = try Machine.live(2)
        let rejected = try machine.edit(Machine.update(7, "first"), Machine.update(7, "second"))
        let stamps = rejected.compactMap(\.stamp)
        #expect(rejected.map(\.defect.code) == [.unknownRecord, .unknownRecord])
        #expect(stamps.count == 2 && stamps == stamps.sorted() && stamps.first != stamps.last)
        machine.put(7, Machine.film(7, "theirs", Machine.stamp(40_000)))
        try machine.tell(Machine.id(7))
        #expect(try machine.title(7) == "second" && machine.quarantine().isEmpty)
        #expect(try machine.record(7).state.ownStamp == stamps.last)
        try machine.settle()
        #expect(machine.titleThere(7) == "second")
    }

    @Test func `they are not tried again with every answer`() throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.update(7, "first"))
        let attempts = try machine.read { try $0.quarantined(code: .unknownRecord, in: "movies").map(\.attempts) }
        for number: UInt64 in 20..<30 {
            try machine.edit(Machine.create(number, "new"))
            try machine.settle()
        }
        #expect(try machine.read { try $0.quarantined(code: .unknownRecord, in: "movies").map(\.attempts) } == attempts)
        // Its own create is what they wait for.
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(7))","fields":{"hasWatched":true}}"#)
        try machine.edit(Machine.create(7, "here"))
        try machine.settle()
        #expect(try machine.record(7).state.view?.fields["hasWatched"] == true && machine.quarantine().isEmpty)
    }

    @Test func `they go below an edit elsewhere that is later`() throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.update(7, "first"))
        machine.put(7, Machine.film(7, "later", Stamp(physical: machine.wall + 5000, counter: 0, node: Machine.other)))
        try machine.tell(Machine.id(7))
        #expect(try machine.title(7) == "later" && machine.quarantine().isEmpty && machine.counts().conflicts == 1)
    }

    // MARK: Unconfirmed

    @Test func `what was acknowledged and not yet echoed is unconfirmed`() throws {
        let machine = try Machine.live(2)
        #expect(unconfirmed(machine) == 0)
        try machine.edit(Machine.create(5, "A"))
        #expect(unconfirmed(machine) == 1)
        try machine.answer()
        #expect(unconfirmed(machine) == 1)
        try machine.tell(Machine.id(5))
        #expect(unconfirmed(machine) == 0)
        try machine.edit(Machine.delete(5))
        try machine.settle()
        #expect(unconfirmed(machine) == 1)
        try machine.tell(Machine.id(5))
        #expect(unconfirmed(machine) == 0 && machine.open.isEmpty)
    }

    @Test func `an echo that was faster than the answer confirms too`() throws {
        let machine = try Machine.live(2)
        try machine.edit(Machine.create(5, "A"))
        let request = try #require(machine.open.first)
        let answer = machine.server.answer(request.call)
        try machine.tell(Machine.id(5))
        try machine.answer(with: try answer.get())
        #expect(unconfirmed(machine) == 0 && machine.open.isEmpty)
    }

    @Test func `a delete whose echo was lost with its stream is confirmed by the next snapshot`() throws {
        let machine = try Machine.live(9)
        try machine.edit(Machine.delete(5))
        try machine.settle()
        try machine.reconnect()
        #expect(unconfirmed(machine) == 1)
        try machine.snapshot()
        #expect(unconfirmed(machine) == 0 && machine.open.isEmpty)
    }

    @Test func `a film that was pushed after the stream was opened, and deleted before it showed anything, is read`()
        throws
    {
        let machine = try Machine.live(9)
        try machine.reconnect()
        try machine.edit(Machine.create(20, "A"))
        try machine.settle()
        #expect(machine.titleThere(20) == "A")
        machine.put(20, .absent)
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.title(20) == nil && unconfirmed(machine) == 0)
        #expect(try machine.record(20).state.known.isDeleted)
    }

    @Test func `what was in flight while the snapshot was made is no disappearance`() throws {
        let machine = try Machine.live(9)
        try machine.reconnect()
        try machine.edit(Machine.create(20, "A"))
        try machine.snapshot()
        try machine.settle()
        #expect(try machine.title(20) == "A" && machine.titleThere(20) == "A" && machine.holds().isEmpty)
    }

    @Test func `a snapshot that was cut says nothing about what is missing from it`() throws {
        let machine = try Machine.live(9)
        try machine.reconnect()
        try machine.events([.snapshotBegan, .snapshotEntry(machine.server.entry(Machine.id(0).description))])
        try machine.reconnect()
        try machine.settle()
        #expect(try machine.counts().records == 9 && machine.calls.isEmpty)
    }

    // MARK: Old stamps

    @Test func `an app's whole PUT with the base's stamp and new content is observed and written back whole`() throws {
        let machine = try Machine.live(3)
        machine.put(1, Machine.film(1, "app's", Machine.stamp(50_000)))
        try machine.tell(Machine.id(1))
        try machine.settle()
        try machine.pass(4000)
        try machine.settle()
        #expect(try machine.title(1) == "app's")
        guard case .record(_, let stamps?) = machine.server.entry(Machine.id(1).description).value else {
            throw Machine.Missing()
        }
        #expect(stamps.version > Machine.stamp(50_000))
    }

    @Test func `so is one with an older stamp of ours`() throws {
        let machine = try Machine.live(3)
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"note":"mine"}}"#)
        try machine.settle()
        machine.put(1, Machine.film(1, "app's", Machine.stamp(50_000)))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(machine.titleThere(1) == "app's")
        #expect(try machine.record(1).state.view?.fields["note"] == "mine")
    }

    @Test(arguments: [true, false])
    func `so it is in a version that showed nothing new here, and one that is not known waits for others`(
        isKnown: Bool
    ) throws {
        let machine = try Machine.live(3)
        if isKnown {
            // Another node was quicker to stamp what an app has made of it.
            machine.put(1, Machine.film(1, "patched", Machine.stamp(50_000)))
            try machine.tell(Machine.id(1))
            try machine.settle()
        }
        let first = StampedContent(
            Content(fields: ["title": "patched", "hasWatched": false]),
            FieldStamps(Machine.stamp(50_000), named: ["title": Machine.stamp(40_000)]))
        func put(_ title: String, _ version: Stamp) {
            machine.put(
                1,
                .record(
                    fields: [
                        "identifier": .string(Machine.id(1).description), "title": .string(title), "hasWatched": false,
                    ],
                    stamps: RemoteStamps(version, fields: first.stamps)))
        }
        if isKnown {
            put("patched", Machine.stamp(39_000))
            try machine.tell(Machine.id(1))
            try machine.settle()
            try machine.edit(Machine.update(1, "later"))
        } else {
            machine.put(1, Machine.film(1, "later", Machine.stamp(20_000)))
            try machine.tell(Machine.id(1))
        }
        try machine.settle()
        try machine.pass(5000)
        try machine.settle()
        put("app's", Machine.stamp(39_000))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(machine.titleThere(1) == "app's")
        #expect(try machine.title(1) == (isKnown ? "app's" : "later"))
        try machine.pass(4000)
        try machine.settle()
        #expect(machine.titleThere(1) == (isKnown ? "app's" : "later"))
    }

    @Test(arguments: [("app's", "app's"), ("F1", "mine")])
    func `what an app changed in a version that is known is its own, also where it was edited since`(
        _ written: String, _ title: String
    ) throws {
        let machine = try Machine.live(3)
        try machine.edit(#"{"op":"update","id":"\#(Machine.id(1))","fields":{"title":"mine"}}"#)
        try machine.settle()
        machine.put(1, Machine.film(1, written, Machine.stamp(50_000)))
        try machine.tell(Machine.id(1))
        try machine.settle()
        #expect(machine.titleThere(1) == title)
        #expect(try machine.counts().conflicts == (title == "mine" ? 0 : 1))
    }
}
