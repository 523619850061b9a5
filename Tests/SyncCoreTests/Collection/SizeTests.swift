import JSONText
import SyncCore
import SyncModel
import Testing

/// How long a record may get: what is longer could be read by nobody.
struct SizeTests {
    typealias Machine = MachineUnderTest

    private func line(_ op: String, _ field: String, bytes: Int) -> String {
        let text = String(repeating: "p", count: bytes)
        return #"{"op":"\#(op)","id":"\#(Machine.id(0))","fields":{"\#(field)":"\#(text)"}}"#
    }

    @Test func `edits that make it too long together go to quarantine, and those before them stay`() throws {
        let machine = try Machine.live(1)
        #expect(try machine.edit(line("update", "a", bytes: 600_000)).isEmpty)
        try machine.settle()
        #expect(try machine.edit(line("update", "b", bytes: 600_000)).map(\.defect.code) == [.invalidValue])
        #expect(try machine.edit(line("update", "b", bytes: 400_000)).isEmpty)
        try machine.settle()
        let fields = try machine.record(0).state.view?.fields
        #expect(fields?["a"]?.text?.utf8.count == 600_000 && fields?["b"]?.text?.utf8.count == 400_000)
        #expect(try machine.counts().pending == 0)
        #expect(try machine.edit(Machine.delete(0)).isEmpty)
        try machine.settle()
        #expect(machine.titleThere(0) == nil)
    }

    @Test func `so does a create whose record would be longer than its line`() throws {
        let machine = try Machine.live(1)
        let rejected = try machine.edit(line("create", "title", bytes: Content.mostBytes - 10))
        #expect(rejected.map(\.defect.code) == [.invalidValue])
        #expect(try machine.title(0) == "F0")
    }
}
