internal import FirebaseWire
internal import JSONText
internal import SyncModel

/// What the body of a `PUT` or `POST` stores.
package struct PutBody: Hashable, Sendable {
    package let value: WriteValue
    /// Whether there is a priority anywhere in it.
    package let hasPriorities: Bool
    /// Whether there is a server value anywhere in it.
    package let hasServerValues: Bool

    /// Nothing, as a `DELETE` stores it.
    package static let nothing = PutBody(.null)

    private init(_ value: WriteValue) {
        self.value = value
        hasPriorities = false
        hasServerValues = false
    }

    /// Reads JSON text. Throws a refusal (400) that names the first fault.
    ///
    /// - Parameter depth: how many levels below the root the value is to be stored.
    package init(_ text: UnsafeBufferPointer<UInt8>, depth: Int) throws(Refusal) {
        self = try PutBodyReader.reading(text) { reader throws(Refusal) in
            PutBody(try reader.value(depth: depth), reader)
        }
    }

    /// Reads JSON text that is to be a priority: a number, a string or null, or a server value.
    package init(priority text: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        self = try PutBodyReader.reading(text) { reader throws(Refusal) in
            PutBody(try reader.priority(), reader)
        }
    }

    private init(_ value: WriteValue, _ reader: PutBodyReader) {
        self.value = value
        hasPriorities = reader.hasPriorities
        hasServerValues = reader.hasServerValues
    }
}

extension WriteValue {
    /// This value, which has none, with a priority; nothing has no priority.
    func with(priority: WriteValue) -> WriteValue {
        guard priority != .null else { return self }
        let member = Member(.priority, priority)
        switch self {
        case .null: return .null
        case .leaf, .server: return .object([member, Member(.value, self)])
        case .object(let members):
            let place = members.firstIndex { .priority < $0.key } ?? members.endIndex
            return .object(members[..<place] + [member] + members[place...])
        }
    }
}
