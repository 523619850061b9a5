import JSONText
import SyncCore
import SyncModel
import Testing

/// What is answered of a second key for a UUID.
struct SecondKeyAnswerTests {
    typealias Machine = MachineUnderTest
    private let upper = Machine.id(1).description
    private let lower = Machine.id(1).description.lowercased()

    /// Answers what is asked; a removal of the second key is denied.
    private func answerWithoutRemoving(_ machine: Machine) throws {
        while let call = machine.open.first?.call {
            if case .remove(lower, _, _) = call {
                try machine.answer(RemoteError(.denied, "no"))
            } else {
                try machine.answer()
            }
        }
    }

    @Test func `what was removed does not come back from a second key that stays`() throws {
        let machine = try Machine.live(2)
        machine.server.put(lower, .record(fields: ["title": "lower", "note": "x"], stamps: nil))
        try machine.tell(lower)
        try answerWithoutRemoving(machine)
        try machine.settle()
        #expect(try machine.record(1).state.view?.fields["note"] != nil)
        try machine.edit(#"{"op":"update","id":"\#(upper)","fields":{"note":null}}"#)
        try machine.settle()
        try machine.take(.readAgain([Machine.id(1)]))
        try answerWithoutRemoving(machine)
        #expect(try machine.record(1).state.view?.fields["note"] == nil)
    }

    @Test(arguments: [RemoteError.Code.refused, .denied, .tooLarge])
    func `a second key that can't be read waits in quarantine`(code: RemoteError.Code) throws {
        let machine = try Machine.live(2)
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        for _ in 0..<10 {
            guard let call = machine.open.first?.call else { break }
            if case .read(lower, _) = call { try machine.answer(RemoteError(code, "no")) } else { try machine.answer() }
        }
        #expect(machine.open.isEmpty && machine.machine.unconfirmed == 0)
        #expect(try machine.quarantine() == [.unreadableRecord])
    }

    @Test func `a second key is read again after an answer without an ETag`() throws {
        let machine = try Machine.live(2)
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        while let call = machine.open.first?.call {
            if case .read(lower, _) = call {
                try machine.answer(with: .entry(RemoteEntry(key: lower, value: .absent)))
                break
            }
            try machine.answer()
        }
        try machine.settleWithPauses()
        #expect(machine.titleThere(lower) == nil && machine.titleThere(upper) == "lower")
    }

    @Test(arguments: [RemoteError.Code.refused, .denied])
    func `where nothing can be read for a moment a second key waits for that`(code: RemoteError.Code) throws {
        let machine = try Machine.live(2)
        machine.server.put(lower, Machine.film(1, "lower"))
        try machine.tell(lower)
        try machine.answer()
        #expect(machine.open.map(\.call) == [.read(lower, Machine.records)])
        try machine.answer(RemoteError(code, "no"))
        try machine.answer(RemoteError(code, "no"))
        try machine.settleWithPauses()
        #expect(try machine.quarantine() == [])
        #expect(machine.titleThere(lower) == nil && machine.titleThere(upper) == "lower")
    }

    @Test func `a copy of what was deleted brings nothing back`() throws {
        let machine = try Machine.live(2)
        try machine.take(.paused([.push]))
        machine.server.put(lower, .record(fields: ["title": "F1", "hasWatched": false], stamps: nil))
        try machine.tell(lower)
        try machine.edit(Machine.delete(1))
        try machine.settleWithPauses()
        try machine.take(.paused([]))
        try machine.settleWithPauses()
        #expect(try machine.title(1) == nil && machine.counts().pending == 0)
        #expect(machine.titleThere(upper) == nil && machine.titleThere(lower) == nil)
    }
}
