internal import FirebaseWire
internal import JSONText

/// Cuts and joins canonical JSON text without building values.
///
/// Canonical is what `JSONWriter` writes of a pruned value: no spaces, keys in byte order, no nulls but the holes of an
/// array. Text that is not canonical gives wrong pieces, never a trap.
enum CanonicalText {
    /// One child of an object or array; an array's element has its index as key.
    struct Member: Sendable {
        let key: WireKey
        let text: ArraySlice<UInt8>

        init(_ key: WireKey, _ text: ArraySlice<UInt8>) {
            self.key = key
            self.text = text
        }
    }

    /// Whether `text` is neither object nor array.
    static func isLeaf(_ text: ArraySlice<UInt8>) -> Bool {
        text.first != UInt8(ascii: "{") && text.first != UInt8(ascii: "[")
    }

    /// The children of `text` in its order; none for a leaf. Holes of an array are left out.
    static func members(_ text: ArraySlice<UInt8>) -> [Member] {
        var members: [Member] = []
        forEach(text) { members.append($0) }
        return members
    }

    /// The text at `path` below `text`; nil where nothing is stored.
    static func value(at path: ArraySlice<WireKey>, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let range = text.withUnsafeBufferPointer { bytes -> Range<Int>? in
            var range = 0..<bytes.count
            for key in path {
                var scan = CanonicalScan(bytes, in: range)
                guard let value = scan.value(of: key) else { return nil }
                range = value
            }
            return range
        }
        return range.map { text[(text.startIndex + $0.lowerBound)..<(text.startIndex + $0.upperBound)] }
    }

    /// The text of the object with these members, or of the array where Firebase answers one; nil without members.
    ///
    /// - Parameter members: in the byte order of their keys, each key once.
    static func joined(_ members: [Member]) -> [UInt8]? {
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
    static func lastIndex(_ keys: some Sequence<WireKey>, count: Int) -> Int? {
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

    private static func forEach(_ text: ArraySlice<UInt8>, _ body: (Member) -> Void) {
        text.withUnsafeBufferPointer { bytes in
            var scan = CanonicalScan(bytes, in: 0..<bytes.count)
            while let (key, value) = scan.next() {
                let place = (text.startIndex + value.lowerBound)..<(text.startIndex + value.upperBound)
                body(Member(scan.decoded(key), text[place]))
            }
        }
    }
}
