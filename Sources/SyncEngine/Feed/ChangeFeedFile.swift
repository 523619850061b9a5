internal import ControlAPI
internal import FoundationEssentials
internal import JSONText
internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import SyncCore
internal import SyncModel

/// Writes the change feed for programs: `changes.jsonl`, one line a change, each sequence number exactly once.
///
/// The store holds the truth, and keeps each entry until it is on the disk here. The file may be renamed, removed or
/// emptied at any time: before each append it is looked for anew, and goes on behind what was written last. Where it is
/// full it is renamed to `changes.jsonl.1`, which takes the place of an older one: who reads it can read it to its end.
struct ChangeFeedFile: Sendable {
    let store: LocalStore
    let path: String
    let logger: Logger
    /// Notified at each new entry.
    let signal: Signal
    /// How many entries the store keeps although the file has them.
    var keeping = Transaction.keptChanges
    var limits: @Sendable () -> FeedLimits = { FeedLimits() }
    /// What ages are reckoned by, in milliseconds since 1970; nil where nobody knows (``StampPolicy/ageTime``).
    var now: @Sendable () -> UInt64? = { nil }
    /// Told of each append: the last sequence number in the file, or why there was none.
    let noted: @Sendable (Result<Int64, any Error>) -> Void

    /// How many entries are written at once.
    private static let batch = 5_000
    /// How long new entries may wait, so that the disk is there for the edit's way to the remote first.
    private static let gathering: Duration = .milliseconds(20)
    /// For how long nothing must come before the store is told how far the file is: the file's last line says so too.
    private static let quiet: Duration = .seconds(1)

    /// How often it is looked for what is too old while nothing happens.
    private static let hour: Duration = .seconds(3_600)

    /// The file as it was left.
    private struct Place {
        var file: DurableFile
        var size: UInt64
        /// The last entry that is on the disk, in this file or one before it.
        var last: Int64
        /// The last entry of which the store knows that it is on the disk.
        var noted: Int64
        /// When the change of the file's first line took effect, milliseconds since 1970; nil where there is none.
        var first: UInt64?

        /// Nobody moved, removed, cut or wrote to the file since.
        var isUnchanged: Bool { file.isAtPath() && (try? file.size()) == size }
    }

    /// Runs until cancelled.
    func run() async {
        var backoff = Backoff()
        // What an append could not tell the store any more, the next place must know.
        var last: Int64 = 0
        while !Task.isCancelled {
            do {
                try await follow(&last) { backoff.succeeded() }
            } catch is CancellationError {
                return
            } catch {
                noted(.failure(error))
                logger.error(
                    "The change feed can't be written", metadata: ["event": "feed.failed", "reason": "\(error)"])
                await signal.wait(for: backoff.failed(random: .random(in: 0...1)))
            }
        }
    }

    private func follow(_ last: inout Int64, succeeded: () -> Void) async throws {
        var place = try await place(after: last)
        // Also when the task is cancelled: the file may be moved away before the next start.
        defer { try? note(&place) }
        var text: [UInt8] = []
        let clock = ContinuousClock()
        while !Task.isCancelled {
            let start = clock.now
            let after = place.last
            let changes = try await store.read { try $0.storedChanges(after: after, limit: ChangeFeedFile.batch) }
            guard let newest = changes.last?.sequence else {
                try await beginAnewWhereFull(&place)
                // The file is there, and has all that there is.
                noted(.success(place.last))
                try await rest(&place)
                continue
            }
            guard place.isUnchanged else {
                place = try await self.place(after: after)
                continue
            }
            write(changes, to: &text)
            try place.file.append(text)
            place.size = try place.file.size()
            place.first = place.first ?? changes.first?.at
            place.last = newest
            last = newest
            if newest - place.noted >= ChangeFeedFile.batch { try note(&place) }
            succeeded()
            noted(.success(newest))
            try await beginAnewWhereFull(&place)
            // A large load comes first: a fifth of one core is enough to follow it.
            if changes.count == ChangeFeedFile.batch { try await Task.sleep(for: start.duration(to: clock.now) * 4) }
        }
    }

    /// Returns when there may be entries again; where there are none for long, tidies up.
    private func rest(_ place: inout Place) async throws {
        let isNoted = place.noted == place.last
        let limit = isNoted ? ChangeFeedFile.hour : ChangeFeedFile.quiet
        let start = ContinuousClock.now
        await signal.wait(for: limit)
        if start.duration(to: .now) < limit {
            try await Task.sleep(for: ChangeFeedFile.gathering)
        } else if isNoted {
            try await forget(&place)
        } else {
            try note(&place)
        }
    }

    /// Forgets what is too old, in the state and in the files.
    private func forget(_ place: inout Place) async throws {
        guard place.isUnchanged else {
            place = try await self.place(after: place.last)
            return
        }
        try tellStore(place)
        if let modified = try? FileIdentity.of(path: older).modifiedNanoseconds,
            modified / 1_000_000 < limits().cutoff(now: now())
        {
            try FileManager.default.removeItem(atPath: older)
        }
        try await beginAnewWhereFull(&place)
    }

    /// The older file beside the feed's.
    private var older: String { ChangeFeed.older(path) }

    /// Makes a full file the older one, and goes on in a new one.
    private func beginAnewWhereFull(_ place: inout Place) async throws {
        guard limits().isFull(size: place.size, first: place.first, now: now()) else { return }
        // The store has to know first what was in the file.
        try note(&place)
        try place.file.move(to: older)
        place = try await self.place(after: place.last)
    }

    private func note(_ place: inout Place) throws {
        guard place.noted < place.last else { return }
        try tellStore(place)
        place.noted = place.last
    }

    /// Tells the store what the file has, which it need not keep any more.
    private func tellStore(_ place: Place) throws {
        let cutoff = limits().cutoff(now: now())
        _ = try store.writeNow {
            try $0.noteFeedWritten(upTo: place.last, keeping: keeping, forgettingBefore: cutoff)
        }
    }

    /// The file at the path, made where it is missing, and after which entry it goes on.
    ///
    /// - Parameter known: an entry that is known to be on the disk.
    private func place(after known: Int64) async throws -> Place {
        let file = try DurableFile(path: path)
        _ = try file.truncateTornLine()
        let (written, newest) = try await store.read { transaction in
            (try transaction.feedWritten(), try transaction.changeBounds()?.last ?? 0)
        }
        let found = try ChangeFeed.lastSequence(in: file)
        let (last, isAhead) = ChangeFeed.last(found: found, known: max(known, written ?? 0), newest: newest)
        if isAhead, let found {
            logger.warning(
                "The change feed is ahead of the state, and goes on where the state is",
                metadata: ["event": "feed.restarted", "found": "\(found)", "after": "\(last)"])
        }
        return Place(
            file: file, size: try file.size(), last: last, noted: written ?? 0, first: try firstMoment(in: file))
    }

    /// When the change of the first line took effect; nil where there is no line, or it is none of ours.
    private func firstMoment(in file: DurableFile) throws -> UInt64? {
        let head = try file.read(at: 0, count: 4_096)
        // The keys of a line are in order, and this is the first.
        let key = Array("{\"at\":\"".utf8)
        guard head.starts(with: key) else { return nil }
        return RFC3339.milliseconds(
            String(decoding: head.dropFirst(key.count).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
    }

    /// One line a change: the JSON of ``ChangeReply``, with the fields copied as they are stored.
    private func write(_ changes: [StoredChange], to text: inout [UInt8]) {
        text.removeAll(keepingCapacity: true)
        var moment = (milliseconds: UInt64(0), text: "")
        for change in changes {
            if moment.milliseconds != change.at { moment = (change.at, RFC3339.text(change.at)) }
            text += #"{"at":""#.utf8
            text += moment.text.utf8
            text += #"","collection":""#.utf8
            text += change.key.collection.name.utf8
            text += #"","fields":"#.utf8
            if let content = change.text { text += content } else { text += "{}".utf8 }
            text += #","id":""#.utf8
            change.key.id.append(to: &text)
            text += #"","op":""#.utf8
            text += change.kind.rawValue.utf8
            text += #"","origin":""#.utf8
            text += change.origin.rawValue.utf8
            text += #"","seq":"#.utf8
            text += String(change.sequence).utf8
            text += #","stamp":"#.utf8
            append(change.stamp, to: &text)
            text += "}\n".utf8
        }
    }

    private func append(_ stamp: Stamp, to text: inout [UInt8]) {
        guard stamp != .zero else {
            text += "null".utf8
            return
        }
        text.append(UInt8(ascii: "\""))
        stamp.append(to: &text)
        text.append(UInt8(ascii: "\""))
    }
}

extension ChangeReply {
    init(_ change: Change) {
        self.init(
            seq: change.sequence, op: change.kind, collection: change.key.collection.name,
            id: change.key.id.description, fields: change.version.content?.fields ?? [:],
            stamp: change.stamp?.description, origin: change.origin, at: Moment(milliseconds: change.at))
    }
}
