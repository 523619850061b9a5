import JSONText
import SyncModel
import Testing

@testable import SyncCore

/// A field that another node merges as a set, and this one does not.
struct UndeclaredSetTests {
    private let plain = MergeRules()
    private let sets = MergeRules(fields: ["tags": .set])
    private let old = MachineUnderTest.stamp(9_000)
    private let later = MachineUnderTest.stamp(5_000)

    private func version(_ tags: JSONValue, _ named: [String: Stamp]) -> StampedContent {
        StampedContent(Content(fields: ["tags": tags]), FieldStamps(old, named: named))
    }

    @Test func `the stamps of its members stay with its value, on either side`() {
        let (with, without) = (version(["a", "x"], ["tags/x": later]), version(["a", "x"], [:]))
        for (left, right) in [(with, without), (without, with)] {
            #expect(StampedContent.merged(left, right, plain) == with)
        }
        let newer = version(["b"], ["tags": later])
        for (left, right) in [(with, newer), (newer, with)] {
            #expect(StampedContent.merged(left, right, plain) == newer)
        }
    }

    @Test func `an edit of it is one of all its members`() {
        var stamps = FieldStamps(old, named: ["tags/x": later])
        let now = MachineUnderTest.stamp(1_000)
        stamps.edit(["tags": now], from: ["tags": ["a", "x"]], to: ["tags": ["a"]], plain)
        #expect(stamps == FieldStamps(old, named: ["tags": now]))
        let (edited, known) = (version(["a"], stamps.named), version(["a", "x"], ["tags/x": later]))
        #expect(StampedContent.merged(known, edited, sets).content == edited.content)
    }
}
