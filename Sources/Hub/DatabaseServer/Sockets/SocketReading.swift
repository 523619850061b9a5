internal import DatabaseTree
internal import FirebaseWire
internal import HTTPListening
internal import HummingbirdCore
internal import JSONText
internal import NIOCore

/// A place as it was at one moment, read and written when its turn comes.
struct SocketReading: Sendable {
    private let root: TakeOnce<Root>
    private let subscription: Subscription
    /// What stands before and after the data.
    private let opening: [UInt8]
    private let end: [UInt8]
    /// What the client has: where it is the same, nothing is sent but what follows, and where it is nearly the same, what
    /// differs.
    private let known: KnownValue?
    /// About how many bytes of memory are taken by what the client has said of it.
    var size: Int { known?.size ?? 0 }
    /// A message that follows.
    private let follower: [UInt8]?

    /// The first event of a listen.
    ///
    /// - Parameter follower: the answer to the request.
    init(_ root: Root, _ subscription: Subscription, tag: Int?, known: KnownValue?, follower: [UInt8]?) {
        self.root = TakeOnce(root)
        self.subscription = subscription
        self.known = known
        self.follower = follower
        opening = SocketEvents.opening(.put, at: subscription.path)
        end = SocketEvents.end(tag: tag)
    }

    /// The answer to a request for data.
    init(_ root: Root, _ subscription: Subscription, answering number: Int) {
        self.root = TakeOnce(root)
        self.subscription = subscription
        opening = SocketReply.answerOpening(number)
        end = SocketReply.answerEnd
        known = nil
        follower = nil
    }

    /// Writes all to `body`, whose connection is served by `loop`.
    func write(to body: inout some ResponseBodyWriter, on loop: any EventLoop) async throws {
        guard let root = root.take() else { return }
        // Looks at more than goes out, and may take long.
        if let parts = try await WorkerPool.run({ [self] in parts(of: root) }) {
            try await write(parts, to: &body, on: loop)
        }
        if let follower {
            var frames = ByteBuffer()
            SocketPieces.append(follower, to: &frames)
            try await body.write(frames)
        }
    }

    /// The message; nil where the client has all.
    private func parts(of root: Root) -> [SocketText.Part]? {
        let node = subscription.snapshot(of: root)
        if let known, known.hash == ValueHash(of: node) { return nil }
        // Not all priorities are in the hashes of ranges.
        if let ranges = known?.ranges, !root.hasPriorities {
            let merges = ranges.merges(of: node)
            if let first = merges.first, !first.isWhole { return parts(merges) }
        }
        return [.text(opening), SocketText.part(node), .text(end)]
    }

    private func parts(_ merges: [RangeMerge]) -> [SocketText.Part] {
        var parts: [SocketText.Part] = [.text(SocketEvents.opening(.ranges, at: subscription.path))]
        for (index, merge) in merges.enumerated() {
            var text = Array((index == 0 ? "[{" : ",{").utf8)
            for (name, path) in [("s", merge.after), ("e", merge.end)] {
                guard let path else { continue }
                text.append(contentsOf: #""\#(name)":"#.utf8)
                JSONWriter.append(path.text, to: &text)
                text.append(UInt8(ascii: ","))
            }
            parts += [.text(text + Array(#""m":"#.utf8)), SocketText.part(merge.node), .text([UInt8(ascii: "}")])]
        }
        return parts + [.text([UInt8(ascii: "]")] + end)]
    }

    private func write(
        _ parts: [SocketText.Part], to body: inout some ResponseBodyWriter, on loop: any EventLoop
    ) async throws {
        var frames = ByteBuffer()
        if SocketText.isSmall(parts) {
            var text = SocketText(parts)
            SocketPieces.append(text.all(), to: &frames)
            return try await body.write(frames)
        }
        let count = try await WorkerPool.run { SocketReading.count(parts) }
        if count > 1 { SocketPieces.appendCount(count, to: &frames) }
        var pieces = SocketPieces()
        var text = SocketText(parts)
        while let part = text.next() {
            pieces.take(part[...]) { SocketFrames.append($0, to: &frames) }
            guard frames.readableBytes > 0 else { continue }
            try await body.write(frames)
            frames = ByteBuffer()
            try await loop.catchUp()
        }
        if let last = pieces.finish() {
            SocketFrames.append(last, to: &frames)
            try await body.write(frames)
        }
    }

    /// How many pieces the message has, which must be said before the first.
    private static func count(_ parts: [SocketText.Part]) -> Int {
        var (count, pieces, text) = (0, SocketPieces(), SocketText(parts))
        while let part = text.next() { pieces.take(part[...]) { _ in count += 1 } }
        return count + (pieces.finish() == nil ? 0 : 1)
    }
}

/// The text of a message in parts of bounded size.
private struct SocketText {
    enum Part: Sendable {
        case text([UInt8])
        case node(Node)
    }

    private var parts: ArraySlice<Part>
    private var node: NodeEncoder?

    init(_ parts: [Part]) { self.parts = parts[...] }

    /// Whether all of it is the text of one row, and little more.
    static func isSmall(_ parts: [Part]) -> Bool {
        parts.count <= 3
            && !parts.contains { part in
                if case .node(.branch) = part { true } else { false }
            }
    }

    mutating func all() -> [UInt8] {
        var out: [UInt8] = []
        while let part = next() { out.append(contentsOf: part) }
        return out
    }

    static func part(_ node: Node?) -> Part { node.map { .node($0) } ?? .text(Array("null".utf8)) }

    mutating func next() -> [UInt8]? {
        while true {
            if let piece = node?.next() { return piece }
            node = nil
            switch parts.popFirst() {
            case .text(let text): return text
            case .node(let node): self.node = NodeEncoder(node, .export)
            case nil: return nil
            }
        }
    }
}
