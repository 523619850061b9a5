internal import DatabaseTree
internal import FirebaseWire
internal import HTTPListening
internal import HummingbirdCore
internal import NIOCore

/// A place as it was at one moment, read and written when its turn comes.
struct SocketReading: Sendable {
    private let root: TakeOnce<Root>
    private let subscription: Subscription
    /// What stands before and after the data.
    private let opening: [UInt8]
    private let end: [UInt8]
    /// What the client has: where it is the same, nothing is sent but what follows.
    private let known: ValueHash?
    /// A message that follows.
    private let follower: [UInt8]?

    /// The first event of a listen.
    ///
    /// - Parameter follower: the answer to the request.
    init(_ root: Root, _ subscription: Subscription, tag: Int?, known: ValueHash?, follower: [UInt8]?) {
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

    /// Writes all to `body`.
    func write(to body: inout some ResponseBodyWriter) async throws {
        guard let root = root.take() else { return }
        let (subscription, known) = (subscription, known)
        // Looks at more than goes out, and may take long.
        let node = try await WorkerPool.run { () -> Node?? in
            let node = subscription.snapshot(of: root)
            return known.map { $0 == ValueHash(of: node) } == true ? .none : .some(node)
        }
        if let node { try await write(node, to: &body) }
        if let follower {
            var frames = ByteBuffer()
            SocketPieces.append(follower, to: &frames)
            try await body.write(frames)
        }
    }

    private func write(_ node: Node?, to body: inout some ResponseBodyWriter) async throws {
        guard case .branch? = node else {
            var frames = ByteBuffer()
            SocketPieces.append(opening + (node?.text(.export) ?? Array("null".utf8)) + end, to: &frames)
            return try await body.write(frames)
        }
        let count = try await WorkerPool.run { [self] () -> Int in self.count(node) }
        var frames = ByteBuffer()
        if count > 1 { SocketPieces.appendCount(count, to: &frames) }
        var pieces = SocketPieces()
        var parts = SocketText(node, opening, end)
        while let part = parts.next() {
            pieces.take(part[...]) { SocketFrames.append($0, to: &frames) }
            guard frames.readableBytes > 0 else { continue }
            try await body.write(frames)
            frames = ByteBuffer()
            // Others have a turn even where the reader keeps up.
            await Task.yield()
        }
        if let last = pieces.finish() {
            SocketFrames.append(last, to: &frames)
            try await body.write(frames)
        }
    }

    /// How many pieces the message has, which must be said before the first.
    private func count(_ node: Node?) -> Int {
        var (count, pieces, parts) = (0, SocketPieces(), SocketText(node, opening, end))
        while let part = parts.next() { pieces.take(part[...]) { _ in count += 1 } }
        return count + (pieces.finish() == nil ? 0 : 1)
    }
}

/// The text of a message in parts of bounded size.
private struct SocketText {
    private var opening: [UInt8]?
    private var node: NodeEncoder?
    private var end: [UInt8]?

    init(_ node: Node?, _ opening: [UInt8], _ end: [UInt8]) {
        self.opening = opening
        self.node = node.map { NodeEncoder($0, .export) }
        self.end = end
    }

    mutating func next() -> [UInt8]? {
        if let opening {
            self.opening = nil
            return opening
        }
        if let part = node?.next() { return part }
        defer { end = nil }
        return end
    }
}
