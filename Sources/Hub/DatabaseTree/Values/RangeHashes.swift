internal import Crypto
package import FirebaseWire
internal import FoundationEssentials
internal import SyncModel

/// What a client library says that it has of a place: a hash for each range between two leaves.
///
/// The leaves stand in the order of their paths, with keys in `$key` order. A range ends with the leaf that its post names;
/// the last one has no end. The hash is SHA-1 in Base64 over the text of all that is in the range, with the keys that lead
/// there: `("a":("b":(string:"x"),"c":(number:3ff0000000000000)))`; of nothing it is empty.
package struct RangeHashes: Sendable {
    package let posts: [WirePath]
    package let hashes: [String]

    /// Nil where there is not one hash more than posts, or the posts are not surely in their order.
    package init?(posts: [WirePath], hashes: [String]) {
        guard hashes.count == posts.count + 1, !posts.contains(where: { $0.keys.contains(where: \.isOddNumber) }) else {
            return nil
        }
        guard zip(posts, posts.dropFirst()).allSatisfy({ RangeHashes.precedes($0.keys[...], $1.keys[...]) }) else {
            return nil
        }
        self.posts = posts
        self.hashes = hashes
    }

    /// What of `node` has to take the place of what the client has, ranges side by side as one: nothing where all hashes
    /// are those of `node`.
    ///
    /// - Parameter node: a place without priorities; nil where nothing is stored.
    package func merges(of node: Node?) -> [RangeMerge] {
        var (hashing, isOrdered) = (RangeHashing(posts), true)
        node?.forEachLeaf { path, leaf in
            isOrdered = isOrdered && !path.contains(where: \.isOddNumber)
            hashing.take(leaf, at: path)
        }
        guard isOrdered else { return [RangeMerge(after: nil, end: nil, node: node)] }
        let found = hashing.finish()
        var cuts: [RangeCut] = []
        var isOpen = false
        for index in hashes.indices {
            let isEqual = found[index] == hashes[index]
            if !isEqual {
                let end = index < posts.count ? posts[index] : nil
                if isOpen { cuts[cuts.count - 1].end = end?.keys[...] } else { cuts.append(cut(from: index, to: end)) }
            }
            isOpen = !isEqual
        }
        let parts = node?.parts(cuts) ?? cuts.map { _ in nil }
        return zip(cuts, parts).map {
            RangeMerge(after: $0.after.map { WirePath($0) }, end: $0.end.map { WirePath($0) }, node: $1)
        }
    }

    private func cut(from index: Int, to end: WirePath?) -> RangeCut {
        RangeCut(after: index > 0 ? posts[index - 1].keys[...] : nil, end: end?.keys[...])
    }

    /// Whether `left` comes before `right`: what is above before what is below.
    static func precedes(_ left: ArraySlice<WireKey>, _ right: ArraySlice<WireKey>) -> Bool {
        left.lexicographicallyPrecedes(right, by: WireKey.precedesInKeyOrder)
    }
}

/// What takes the place of all leaves of a client that are in one range.
package struct RangeMerge: Sendable {
    /// The range begins behind this path; nil for the beginning of all.
    package let after: WirePath?
    /// The last path of the range; nil for the end of all.
    package let end: WirePath?
    /// What is in the range; nil for nothing.
    package let node: Node?

    /// Whether this is a whole place.
    package var isWhole: Bool { after == nil && end == nil }
}

extension WireKey {
    /// Whether client libraries differ in its place: to some of them so long a spelling of a number is none.
    fileprivate var isOddNumber: Bool { text.utf8.count > 11 && orderNumber != nil }
}

/// Hashes leaves that come in their order, range after range.
private struct RangeHashing {
    private let posts: [WirePath]
    private var found: [String] = []
    private var digest: Insecure.SHA1?
    /// The keys whose brackets are open.
    private var open: [WireKey] = []

    init(_ posts: [WirePath]) { self.posts = posts }

    mutating func take(_ leaf: JSONValue, at path: [WireKey]) {
        while found.count < posts.count, RangeHashes.precedes(posts[found.count].keys[...], path[...]) { endRange() }
        var (text, known) = ("", 0)
        if digest == nil {
            digest = Insecure.SHA1()
            text = "("
        } else {
            while known < min(open.count, path.count), open[known] == path[known] { known += 1 }
            text = String(repeating: ")", count: open.count - known) + ","
        }
        for key in path[known...] { text += RangeHashing.quoted(key.text) + ":(" }
        if case .string(let value) = leaf {
            text += "string:" + RangeHashing.quoted(value)
        } else {
            text += ValueHash.spelling(leaf)
        }
        digest?.update(data: Data(text.utf8))
        open = path
    }

    /// The hashes of all ranges.
    mutating func finish() -> [String] {
        while found.count <= posts.count { endRange() }
        return found
    }

    private mutating func endRange() {
        digest?.update(data: Data(repeating: UInt8(ascii: ")"), count: open.count + 1))
        found.append(digest.map { Data($0.finalize()).base64EncodedString() } ?? "")
        (digest, open) = (nil, [])
    }

    private static func quoted(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        out.append("\"")
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { out.append("\\") }
            out.append(scalar)
        }
        out.append("\"")
        return String(out)
    }
}
