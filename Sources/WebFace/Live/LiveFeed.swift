internal import ControlAPI

/// Tells a ``LiveRoom`` what changes in the daemon, as long as somebody is in it.
struct LiveFeed: Sendable {
    /// What the page shows of the daemon besides records; two that are equal look the same.
    struct Look: Hashable, Sendable {
        var status: Int
        var attention: Int

        init(_ status: StatusSnapshot, now: Moment) {
            var hasher = Hasher()
            hasher.combine(StatusLine(status, now: now).description)
            hasher.combine(status.remote.stream)
            hasher.combine(status.remote.lastError)
            hasher.combine(status.health)
            hasher.combine(status.journal.lastError)
            for (name, counts) in status.collections.sorted(by: { $0.key < $1.key }) {
                hasher.combine([name, "\(counts.records) \(counts.tombstones) \(counts.pending)"])
            }
            self.status = hasher.finalize()
            var other = Hasher()
            other.combine(status.holds)
            other.combine(status.journal.quarantined)
            for (name, counts) in status.collections.sorted(by: { $0.key < $1.key }) {
                other.combine([name, "\(counts.quarantined) \(counts.conflicts)"])
            }
            attention = other.finalize()
        }
    }

    let room: LiveRoom
    let service: any ControlService
    let status: @Sendable () async -> StatusSnapshot
    let wall: @Sendable () -> UInt64
    let sleep: @Sendable (Duration) async throws -> Void

    /// How often the daemon is looked at, and after how many looks readers get a sign of life.
    private static let (interval, beat) = (Duration.seconds(1), 20)
    /// What people say, besides the library.
    static let people: Set<String> = ["favourites", "reviews", "votes", "profiles"]

    /// Goes on until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            var isFollowing = false
            for await _ in room.arrivals {
                if !isFollowing { group.addTask { await follow() } }
                isFollowing = true
                await look()
            }
        }
    }

    /// Follows the change feed.
    private func follow() async {
        while !Task.isCancelled {
            let begin = service.status().lastChange
            room.note([.library, .people], begin)
            do {
                for await change in try await service.liveChanges(after: begin) {
                    room.note([LiveFeed.people.contains(change.collection) ? .people : .library], change.seq)
                }
            } catch {
                // What is no longer kept is told as one change of everything.
            }
            try? await sleep(LiveFeed.interval)
        }
    }

    /// Looks at the daemon again and again, from memory, until the room is empty.
    private func look() async {
        var last: Look?
        var looks = 0
        while !room.isEmpty, !Task.isCancelled {
            let status = await status()
            let look = Look(status, now: Moment(milliseconds: wall()))
            if let last, last.status != look.status { room.note([.status], status.lastChange) }
            if let last, last.attention != look.attention { room.note([.attention], status.lastChange) }
            last = look
            looks += 1
            if looks.isMultiple(of: LiveFeed.beat) { room.beat() }
            try? await sleep(LiveFeed.interval)
        }
    }
}
