internal import JSONText

/// Cuts and joins canonical JSON text without building values.
///
/// Canonical is what `JSONWriter` writes of a pruned value: no spaces, keys in byte order, no nulls but the holes of an
/// array. Text that is not canonical gives wrong pieces, never a trap.
package enum CanonicalText {
    /// One child of an object or array; an array's element has its index as key.
    package struct Member: Sendable {
        package let key: WireKey
        package let text: ArraySlice<UInt8>

        package init(_ key: WireKey, _ text: ArraySlice<UInt8>) {
            self.key = key
            self.text = text
        }
    }

    /// Whether `text` is neither object nor array.
    package static func isLeaf(_ text: ArraySlice<UInt8>) -> Bool {
        text.first != UInt8(ascii: "{") && text.first != UInt8(ascii: "[")
    }

    /// The children of `text` in its order; none for a leaf. Holes of an array are left out.
    package static func members(_ text: ArraySlice<UInt8>) -> [Member] {
        var members: [Member] = []
        forEach(text) { key, value in
            members.append(Member(key.decoded, value))
            return true
        }
        return members
    }

    /// The text at `path` below `text`; nil where nothing is stored.
    package static func value(at path: ArraySlice<WireKey>, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let key = path.first else { return text }
        var found: ArraySlice<UInt8>?
        forEach(text) { candidate, value in
            if candidate.matches(key) { found = value }
            return found == nil
        }
        return found.flatMap { self.value(at: path.dropFirst(), in: $0) }
    }

    /// The text of the object with these members, or of the array where Firebase answers one; nil without members.
    ///
    /// - Parameter members: in the byte order of their keys, each key once.
    package static func joined(_ members: [Member]) -> [UInt8]? {
        guard !members.isEmpty else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(members.reduce(2) { $0 + $1.text.count + $1.key.text.utf8.count + 4 })
        if let last = lastIndex(members.lazy.map(\.key), count: members.count) {
            appendArray(members, last: last, to: &out)
        } else {
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                JSONWriter.append(member.key.text, to: &out)
                out.append(UInt8(ascii: ":"))
                out.append(contentsOf: member.text)
            }
            out.append(UInt8(ascii: "}"))
        }
        return out
    }

    /// The highest index where an object with these keys is answered as an array: all keys are indices, and more than
    /// half of `0...last` is there. Else nil.
    package static func lastIndex(_ keys: some Sequence<WireKey>, count: Int) -> Int? {
        var last = 0
        for key in keys {
            guard let index = key.arrayIndex else { return nil }
            last = max(last, index)
        }
        return count > 0 && last < 2 * count ? last : nil
    }

    private static func appendArray(_ members: [Member], last: Int, to out: inout [UInt8]) {
        var elements = [ArraySlice<UInt8>?](repeating: nil, count: last + 1)
        for member in members { if let index = member.key.arrayIndex { elements[index] = member.text } }
        out.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            if let element { out.append(contentsOf: element) } else { out.append(contentsOf: "null".utf8) }
        }
        out.append(UInt8(ascii: "]"))
    }

    // MARK: Scanning

    private enum RawKey {
        case quoted(ArraySlice<UInt8>)
        case index(Int)

        var decoded: WireKey {
            switch self {
            case .index(let index): return WireKey(unchecked: String(index))
            case .quoted(let bytes):
                var plain = bytes.dropFirst().dropLast()
                if plain.contains(UInt8(ascii: "\\")) {
                    var escaped = false
                    plain = ArraySlice(
                        plain.filter { byte in
                            escaped = byte == UInt8(ascii: "\\") && !escaped
                            return !escaped
                        }
                    )
                }
                return WireKey(unchecked: String(decoding: plain, as: UTF8.self))
            }
        }

        func matches(_ key: WireKey) -> Bool {
            switch self {
            case .index(let index): return key.arrayIndex == index
            case .quoted(let bytes):
                let plain = bytes.dropFirst().dropLast()
                if plain.contains(UInt8(ascii: "\\")) { return decoded == key }
                return plain.elementsEqual(key.text.utf8)
            }
        }
    }

    private static func forEach(_ text: ArraySlice<UInt8>, _ body: (RawKey, ArraySlice<UInt8>) -> Bool) {
        guard text.count > 2 else { return }
        switch text.first {
        case UInt8(ascii: "{"):
            var position = text.startIndex + 1
            while position < text.endIndex - 1 {
                let colon = end(text, from: position)
                guard colon < text.endIndex - 1 else { return }
                let next = end(text, from: colon + 1)
                guard body(.quoted(text[position..<colon]), text[(colon + 1)..<next]) else { return }
                position = next + 1
            }
        case UInt8(ascii: "["):
            var position = text.startIndex + 1
            var index = 0
            while position < text.endIndex - 1 {
                let next = end(text, from: position)
                if text[position] != UInt8(ascii: "n") {
                    guard body(.index(index), text[position..<next]) else { return }
                }
                index += 1
                position = next + 1
            }
        default: return
        }
    }

    /// The place after the value that starts at `start`.
    private static func end(_ text: ArraySlice<UInt8>, from start: Int) -> Int {
        var depth = 0
        var quoted = false
        var position = start
        while position < text.endIndex {
            let byte = text[position]
            if quoted {
                if byte == UInt8(ascii: "\\") {
                    position += 1
                } else if byte == UInt8(ascii: "\"") {
                    quoted = false
                    if depth == 0 { return position + 1 }
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): quoted = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return position }
                    depth -= 1
                    if depth == 0 { return position + 1 }
                case UInt8(ascii: ","), UInt8(ascii: ":"):
                    if depth == 0 { return position }
                default: break
                }
            }
            position += 1
        }
        return text.endIndex
    }
}
