import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// What is written in a person's name, and waits while they are not signed in any more.
struct PersonTests {
    typealias Machine = MachineUnderTest

    private static let ended = RemoteError(.sessionEnded, "the account is disabled")

    /// A machine of a collection whose keys say whose a record is.
    private func live() throws -> Machine {
        let machine = try Machine(key: KeyTemplate([.init("film"), .init("uid")]))
        try machine.goLive()
        return machine
    }

    private func review(_ film: Int, _ uid: String, more: String = "") -> String {
        #"{"op":"create","fields":{"title":"T","film":"\#(film)","uid":"\#(uid)"}\#(more)}"#
    }

    private func people(_ machine: Machine) -> [String?] { machine.open.map(\.person) }

    @Test func `what the key says is somebody's is written in their name`() throws {
        let machine = try live()
        try machine.edit(review(1, "anna"), review(1, "bob"))
        #expect(Set(people(machine)) == ["anna", "bob"])
        try machine.settle()
        #expect(machine.titleThere("1/anna") == "T" && machine.titleThere("1/bob") == "T")
        try machine.edit(#"{"op":"delete","id":"1/anna"}"#)
        while !machine.open.isEmpty {
            let request = machine.open[0]
            #expect(request.person == (request.call.isWrite ? "anna" : nil))
            try machine.answer()
        }
        #expect(machine.titleThere("1/anna") == nil)
    }

    /// What an author deletes, and what the same write gives to another one.
    @Test(
        arguments: [
            ("local", 12, 0), ("anna", 12, 0), ("local", 0, 1), ("anna", 0, 1), ("local", 6, 1),
        ] as [(String, Int, Int)])
    func `what is handed over is not gone, however much it is`(author: String, given: Int, holds: Int) throws {
        let machine = try live()
        try machine.edit((1...12).map { review($0, author) })
        try machine.settle()
        let deletes = (1...12).map { #"{"op":"delete","id":"\#($0)/\#(author)","by":"\#(author)"}"# }
        let gifts = (0..<given).map { review($0 + 1, "carl", more: #","by":"carl""#) }
        try machine.edit(gifts + deletes)
        try machine.settle()
        #expect(try machine.holds().count == holds)
        #expect(try machine.counts().records == (holds == 0 ? 12 : 12 + given))
    }

    @Test func `what is nobody's is written in the name of the node`() throws {
        let machine = try Machine()
        try machine.goLive()
        try machine.edit(Machine.create(1, "A"))
        #expect(people(machine) == [nil])
    }

    @Test func `a session that has ended is a hold of that person's edits alone, and asks for nothing`() throws {
        let machine = try live()
        try machine.edit(review(1, "anna"))
        try machine.answer(Self.ended)
        #expect(try machine.holds() == [.sessionEnded] && machine.open.isEmpty)
        let hold = try #require(try machine.read { try $0.holds().first })
        #expect(hold.person == "anna" && hold.reason == "the account is disabled")
        let before = machine.calls.count
        try machine.edit(review(2, "anna"))
        try machine.pass(600_000)
        #expect(machine.calls.count == before)
        #expect(try machine.read { try $0.held(by: hold.number).count } == 2)
        try machine.edit(review(2, "bob"))
        try machine.settle()
        #expect(machine.titleThere("2/bob") == "T" && machine.titleThere("2/anna") == nil)
        #expect(try machine.holds() == [.sessionEnded] && machine.counts().pending == 2)
    }

    private static let offline = RemoteError(.personUnreachable, "the service of accounts does not answer")

    private func told(_ machine: Machine) -> [String: String] {
        machine.notes.reduce(into: [:]) { if case .resting(let people) = $1 { $0 = people } }
    }

    @Test func `who can't be signed in again now waits alone, and is tried with one record at a time`() throws {
        let machine = try live()
        try machine.edit((1...9).map { review($0, "anna") })
        #expect(people(machine) == ["anna"])
        try machine.answer(Self.offline)
        #expect(machine.open.isEmpty && told(machine) == ["anna": Self.offline.message])
        try machine.edit((1...9).map { review($0, "bob") })
        try machine.settle()
        #expect(try machine.counts().pending == 9)
        try machine.take(.readAgain([try #require(machine.rules.recordID(of: "9/bob", in: Machine.records))]))
        #expect(people(machine) == [nil])
        try machine.settle()
        #expect(machine.titleThere("9/bob") == "T" && machine.titleThere("1/anna") == nil)
        var attempts = 0
        for _ in 0..<600 {
            try machine.pass(1000)
            guard !machine.open.isEmpty else { continue }
            attempts += 1
            #expect(people(machine) == ["anna"])
            try machine.answer(Self.offline)
        }
        #expect(attempts > 5 && attempts < 30 && told(machine).count == 1)
        try machine.take(.retryNow)
        try machine.settle()
        #expect(machine.titleThere("9/anna") == "T" && told(machine).isEmpty)
        #expect(try machine.counts().pending == 0)
    }

    @Test func `what was in flight when it failed counts once, and a refusal tells that it is over`() throws {
        let machine = try live()
        try machine.edit(review(1, "anna"))
        try machine.answer()
        try machine.edit((2...4).map { review($0, "anna") })
        #expect(people(machine) == ["anna", "anna", "anna"])
        for _ in 0..<3 { try machine.answer(Self.offline) }
        try machine.pass(500)
        #expect(people(machine) == ["anna"])
        try machine.answer(RemoteError(.refused, "no"))
        try machine.settle()
        #expect(try machine.quarantine() == [.refused] && machine.titleThere("4/anna") == "T")
        #expect(told(machine).isEmpty)
    }

    @Test func `what was being tried and is settled otherwise holds nobody up`() throws {
        let machine = try live()
        try machine.edit(review(1, "anna"))
        try machine.answer(Self.offline)
        try machine.edit(#"{"op":"delete","id":"1/anna"}"#)
        try machine.pass(120_000)
        try machine.settle()
        try machine.pass(120_000)
        #expect(try told(machine).isEmpty && machine.counts().pending == 0)
        try machine.edit(review(2, "anna"))
        try machine.settle()
        #expect(machine.titleThere("2/anna") == "T")
    }

    @Test func `what was held is tried again when the hold ends, once`() throws {
        let machine = try live()
        try machine.edit(review(1, "anna"))
        try machine.answer(Self.ended)
        try machine.decide(.sessionEnded, approved: true)
        #expect(people(machine) == ["anna"])
        try machine.answer(Self.ended)
        #expect(try machine.holds() == [.sessionEnded] && machine.open.isEmpty)
        try machine.decide(.sessionEnded, approved: true)
        try machine.settle()
        #expect(machine.titleThere("1/anna") == "T")
        #expect(try machine.holds() == [] && machine.counts().pending == 0)
    }

    @Test func `an answer that was lost to another machine finds the hold again`() throws {
        let machine = try live()
        try machine.edit(review(1, "anna"))
        try machine.answer(Self.ended)
        try machine.restart()
        try machine.goLive()
        #expect(machine.open.isEmpty)
        #expect(try machine.holds() == [.sessionEnded])
    }

    @Test func `nobody writes what is another's`() throws {
        let machine = try live()
        let foreign = try machine.edit(review(1, "anna", more: #","by":"bob""#))
        #expect(foreign.map(\.defect.code) == [.notYours])
        try machine.edit(review(1, "anna", more: #","by":"anna""#))
        try machine.settle()
        for line in [
            #"{"op":"delete","id":"1/anna","by":"bob"}"#,
            #"{"op":"update","id":"1/anna","fields":{"title":"X"},"by":"bob"}"#,
            #"{"op":"delete","id":"\#(RecordID.named("1/anna", in: "movies"))","by":"bob"}"#,
        ] {
            #expect(try machine.edit(line).map(\.defect.code) == [.notYours])
        }
        #expect(machine.open.isEmpty && machine.titleThere("1/anna") == "T")
        #expect(try machine.edit(#"{"op":"delete","id":"1/anna","by":"anna"}"#).isEmpty)
    }
}
