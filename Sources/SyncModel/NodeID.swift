/// The node a stamp comes from: one daemon with one state database.
public struct NodeID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let value: UInt64

    public init(_ value: UInt64) { self.value = value }

    /// Reads the 16-digit hexadecimal form.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
        self.value = value
    }

    public static func random() -> NodeID { NodeID(UInt64.random(in: 1 ... .max)) }

    public static func < (left: NodeID, right: NodeID) -> Bool { left.value < right.value }

    public var description: String { Hexadecimal.text(Hexadecimal.bytes(value)) }
}
