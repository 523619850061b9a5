import LocalStore
import SyncCore
import SyncModel
import Testing

/// Keys that are made of fields, and one write that replaces, or removes, all that stands below a part of them.
struct ReplacedTests {
    typealias Machine = MachineUnderTest

    private static let people = (0..<12).map { "u\($0)" }

    private func review(_ film: String, _ uid: String, _ title: String = "T") -> RemoteValue {
        .record(fields: ["title": .string(title), "film": .string(film), "uid": .string(uid)], stamps: nil)
    }

    /// A live one, with twelve reviews of each of these films.
    private func live(_ films: String...) throws -> Machine {
        let machine = try Machine(key: KeyTemplate([.init("film"), .init("uid")]))
        for film in films {
            for uid in Self.people { machine.server.put("\(film)/\(uid)", review(film, uid)) }
        }
        try machine.goLive()
        return machine
    }

    /// One write leaves nothing of these films but these reviews.
    private func replace(_ machine: Machine, _ films: [String], by left: [String] = []) throws {
        for key in machine.server.keys() where films.contains(where: { key.hasPrefix($0 + "/") }) && !left.contains(key)
        {
            machine.server.put(key, .absent)
        }
        try machine.events(
            films.map { film in RemoteEvent.replaced(below: film, by: left.filter { $0.hasPrefix(film + "/") }) }
                + left.map { .changed(machine.server.entry($0)) })
        try machine.settleWithPauses()
    }

    @Test func `a part with too many is held as a whole, and nothing of it is deleted`() throws {
        let machine = try live("1", "2", "3")
        try replace(machine, ["2"])
        #expect(try machine.holds() == [.massDelete] && machine.counts().records == 36)
        #expect(try machine.read { try $0.holds().map(\.reason) } == ["the remote would delete 12 of 36 movies"])
        try machine.decide(.massDelete, approved: true)
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 24)
    }

    @Test func `several parts that one write removes are one batch`() throws {
        let machine = try live("1", "2", "3")
        for film in ["1", "2"] {
            for uid in Self.people.dropFirst(4) { machine.server.put("\(film)/\(uid)", .absent) }
        }
        try machine.reconnect()
        try machine.snapshot()
        try machine.settleWithPauses()
        try machine.decide(.massDelete, approved: true)
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 20)
        try machine.pass(60_000)
        try replace(machine, ["1", "2"])
        #expect(try machine.holds() == [.massDelete] && machine.counts().records == 20)
    }

    @Test func `what is shown again stays, and few that are not are deleted`() throws {
        let machine = try live("1", "2", "3")
        machine.server.put("2/u3", review("2", "u3", "Changed"))
        try replace(machine, ["2"], by: Self.people.dropLast(3).map { "2/\($0)" })
        #expect(try machine.holds().isEmpty && machine.counts().records == 33)
        #expect(machine.titleThere("2/u3") == "Changed")
    }

    @Test func `where it is shown again in part, only what is missing is held`() throws {
        let machine = try live("1", "2", "3")
        try replace(machine, ["1", "2", "3"], by: ["3/u0"])
        #expect(try machine.read { try $0.holds().map(\.reason) } == ["the remote would delete 35 of 36 movies"])
    }

    @Test(arguments: ["replaced", "touched"], [false, true])
    func `what could not be read below it is read again, and keeps no edit back`(how: String, isRead: Bool) throws {
        let machine = try live("1", "2", "3")
        machine.server.put("4/u0", .unreadable(Defect(.unreadableRecord, "a list is no record")))
        try machine.events([.changed(machine.server.entry("4/u0"))])
        let line = #"{"op":"create","fields":{"film":"4","uid":"u0","title":"mine"}}"#
        try machine.edit(line)
        try machine.settleWithPauses()
        #expect(try machine.quarantine() == [.unreadableRecord] && machine.titleThere("4/u0") == nil)
        machine.server.put("4/u0", isRead ? review("4", "u0") : .absent)
        let present = isRead ? ["4/u0"] : []
        try machine.events([how == "replaced" ? .replaced(below: "4", by: present) : .touched(key: "4")])
        if isRead { try machine.events([.changed(machine.server.entry("4/u0"))]) }
        try machine.settleWithPauses()
        #expect(try machine.quarantine().isEmpty && machine.counts().pending == 0)
        #expect(machine.titleThere("4/u0") != nil)
    }

    /// The answer that it was written comes later than the event that all below has gone since.
    @Test(arguments: ["replaced", "touched"])
    func `what was in flight when a part was replaced is read`(how: String) throws {
        let machine = try live("1", "2", "3")
        try machine.edit(#"{"op":"create","fields":{"film":"4","uid":"u0","title":"mine"}}"#)
        try machine.events([how == "replaced" ? .replaced(below: "4", by: []) : .touched(key: "4")])
        try machine.answer(with: .outcome(.written(etag: "e")))
        #expect(try machine.counts().records == 37)
        try machine.settleWithPauses()
        #expect(try machine.counts().records == 36)
    }

    @Test func `a part that may have been replaced is read`() throws {
        let machine = try live("1", "2", "3")
        try machine.events([.touched(key: "2")])
        try machine.settleWithPauses()
        #expect(try machine.holds().isEmpty && machine.counts().records == 36)
    }
}
