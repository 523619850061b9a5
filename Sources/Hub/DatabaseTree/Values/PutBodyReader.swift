internal import FirebaseWire
internal import JSONText
internal import SyncModel

/// Reads values out of the text of a request's body.
struct PutBodyReader {
    private(set) var hasPriorities = false
    private(set) var hasServerValues = false
    private var tokens: JSONTokens
    /// How many keys of the text were read, to find the place of a bad one.
    private var keys = 0
    private var badKey: Int?

    private init(_ tokens: JSONTokens) { self.tokens = tokens }

    /// - Parameters:
    ///   - whole: what the text is a piece of, where it is one.
    ///   - start: where in the whole it begins.
    static func reading<Value>(
        _ text: UnsafeBufferPointer<UInt8>, of whole: UnsafeBufferPointer<UInt8>? = nil, from start: Int = 0,
        _ body: (inout PutBodyReader) throws(Refusal) -> Value
    ) throws(Refusal) -> Value {
        guard !text.isEmpty else { throw .noData }
        let result: Result<Value, Refusal>
        do {
            result = try JSONReader.read(text) { tokens in
                var reader = PutBodyReader(tokens)
                do throws(Refusal) {
                    return .success(try body(&reader))
                } catch {
                    guard let number = reader.badKey else { return .failure(error) }
                    let offset = start + JSONKeys.offset(ofKey: number, in: text)
                    return .failure(.invalidKey(at: offset, in: whole ?? text))
                }
            }
        } catch {
            throw .invalidJSON
        }
        return try result.get()
    }

    /// The number of pairs of the object that comes next; nil where null comes.
    mutating func members() throws(Refusal) -> Int? {
        switch tokens.next() {
        case .object(let count): return count
        case .scalar(.null): return nil
        case .scalar, .array: throw .notAnObject
        }
    }

    mutating func key() -> String {
        keys += 1
        return tokens.key()
    }

    /// A refusal of the key that was read last.
    mutating func illegalKey() -> Refusal {
        badKey = keys
        return .invalidJSON
    }

    mutating func value(depth: Int) throws(Refusal) -> WriteValue {
        switch tokens.next() {
        case .scalar(let value): return try leaf(value)
        case .array(let count):
            guard depth < WirePath.maxDepth || count == 0 else { throw .tooDeep }
            var members: [WriteValue.Member] = []
            members.reserveCapacity(count)
            for index in 0..<count {
                members.append(.init(WireKey(unchecked: String(index)), try value(depth: depth + 1)))
            }
            return PutBodyReader.object(members)
        case .object(let count): return try object(count, depth)
        }
    }

    /// The members of the object, or the elements of the array that comes next, in their order; elements have no key. False
    /// where the object has a value of its own: what that makes of it is for ``value(depth:)`` to say.
    mutating func forEachMember(
        depth: Int, _ body: (WireKey?, WriteValue) -> Void
    ) throws(Refusal) -> Bool {
        switch tokens.next() {
        case .scalar: return false
        case .array(let count): for _ in 0..<count { body(nil, try value(depth: depth)) }
        case .object(let count):
            for _ in 0..<count {
                let name = key()
                switch name {
                case ".priority": body(.priority, try priority())
                case ".sv", ".value": return false
                default:
                    guard let key = WireKey(name) else { throw illegalKey() }
                    body(key, try value(depth: depth))
                }
            }
        }
        return true
    }

    /// What can be in an object or array.
    enum Part {
        case child, element
        /// What stands under a pseudo key.
        case priority, value, server
    }

    /// The parts of the object or array that comes next, in their order; none of anything else. Whether they can stand
    /// together is for the caller to say.
    ///
    /// - Parameter depth: how many levels below the root it is to be stored.
    mutating func forEachPart(depth: Int, _ body: (Part, WriteValue) -> Void) throws(Refusal) {
        switch tokens.next() {
        case .scalar: return
        case .array(let count):
            guard depth < WirePath.maxDepth || count == 0 else { throw .tooDeep }
            for _ in 0..<count { body(.element, try value(depth: depth + 1)) }
        case .object(let count):
            for _ in 0..<count {
                let name = key()
                switch name {
                case ".priority": body(.priority, try priority())
                case ".sv": body(.server, try serverValue())
                case ".value": body(.value, try primitive())
                default:
                    guard WireKey.isLegal(name) else { throw illegalKey() }
                    guard depth < WirePath.maxDepth else { throw .tooDeep }
                    body(.child, try value(depth: depth + 1))
                }
            }
        }
    }

    /// A priority: a number, a string, null or a server value.
    mutating func priority() throws(Refusal) -> WriteValue {
        hasPriorities = true
        switch tokens.next() {
        case .scalar(.bool), .array: throw .invalidPriority
        case .scalar(let value): return try leaf(value)
        case .object(let count):
            guard count == 1, key() == ".sv" else { throw .invalidPriority }
            return try serverValue()
        }
    }

    private func leaf(_ value: JSONValue) throws(Refusal) -> WriteValue {
        if case .string(let text) = value, text.utf8.count > WriteValue.maxString { throw .stringTooLong }
        return value.pruned.map(WriteValue.leaf) ?? .null
    }

    /// What stands under `.sv`.
    mutating func serverValue() throws(Refusal) -> WriteValue {
        hasServerValues = true
        return .server(try ServerValue(tokens.value()))
    }

    private mutating func object(_ count: Int, _ depth: Int) throws(Refusal) -> WriteValue {
        var members: [WriteValue.Member] = []
        var priority = WriteValue.null
        var own = WriteValue.null
        members.reserveCapacity(count)
        for _ in 0..<count {
            let name = key()
            switch name {
            case ".priority": priority = try self.priority()
            case ".sv": own = try serverValue()
            case ".value": own = try primitive()
            default:
                guard let key = WireKey(name) else { throw illegalKey() }
                guard depth < WirePath.maxDepth else { throw .tooDeep }
                members.append(.init(key, try value(depth: depth + 1)))
            }
        }
        let children = PutBodyReader.object(members)
        guard own == .null || children == .null else { throw .valueBesideChildren }
        return (own == .null ? children : own).with(priority: priority)
    }

    /// What stands under `.value`.
    mutating func primitive() throws(Refusal) -> WriteValue {
        switch tokens.next() {
        case .scalar(let value): return try leaf(value)
        case .object(1):
            guard key() == ".sv" else { throw .valueIsNoPrimitive }
            return try serverValue()
        case .array, .object: throw .valueIsNoPrimitive
        }
    }

    /// An object of `members` in any order; of equal keys the last one counts.
    private static func object(_ members: [WriteValue.Member]) -> WriteValue {
        var sorted = members
        if !zip(members, members.dropFirst()).allSatisfy({ $0.key < $1.key }) {
            sorted.sort { $0.key < $1.key }
            sorted = sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0].key != sorted[$0 + 1].key }
                .map { sorted[$0] }
        }
        if sorted.contains(where: { $0.value == .null }) { sorted.removeAll { $0.value == .null } }
        return sorted.isEmpty ? .null : .object(sorted)
    }
}
