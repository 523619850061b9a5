internal import ControlAPI
internal import JSONText
internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import SyncCore
internal import SyncModel

/// Writes the change feed for programs: `changes.jsonl`, one line a change, each sequence number exactly once.
///
/// The store holds the truth; the file follows it, and goes on after its own last complete line.
struct ChangeFeedFile: Sendable {
    let context: EngineContext
    let signal: Signal

    /// Runs until cancelled.
    func run() async {
        var backoff = Backoff()
        while !Task.isCancelled {
            do {
                let file = try DurableFile(path: context.settings.changesPath)
                _ = try file.truncateTornLine()
                var last = try lastSequence(in: file)
                while !Task.isCancelled {
                    let after = last
                    let changes = try await context.store.read { try $0.changes(after: after, limit: 1000) }
                    guard let newest = changes.last else {
                        if last >= context.status.current.lastChange { await signal.wait(for: nil) }
                        continue
                    }
                    try file.append(text(of: changes))
                    last = newest.sequence
                    backoff.succeeded()
                    // A large load comes first: the feed follows it at a gentle pace.
                    if changes.count == 1000 { try await Task.sleep(for: .milliseconds(100)) }
                }
            } catch is CancellationError {
                return
            } catch {
                context.logger.error(
                    "The change feed can't be written", metadata: ["event": "feed.failed", "reason": "\(error)"])
                await signal.wait(for: backoff.failed(random: .random(in: 0...1)))
            }
        }
    }

    private func lastSequence(in file: DurableFile) throws -> Int64 {
        guard let line = try file.lastLine(), let members = try? JSONReader.members(line.bytes) else { return 0 }
        return members["seq"]?.whole ?? 0
    }

    /// One line a change: the JSON of ``ChangeReply``, with the fields copied as they are stored.
    private func text(of changes: [Change]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(changes.count * 320)
        for change in changes {
            let at = RFC3339.text(change.at)
            text.append(contentsOf: "{\"at\":\"\(at)\",\"collection\":\"\(change.key.collection)\",\"fields\":".utf8)
            text.append(contentsOf: change.version.content?.text ?? Array("{}".utf8))
            text.append(contentsOf: ",\"id\":\"\(change.key.id)\",\"op\":\"\(change.kind.rawValue)\"".utf8)
            text.append(contentsOf: ",\"origin\":\"\(change.origin.rawValue)\",\"seq\":\(change.sequence)".utf8)
            text.append(contentsOf: ",\"stamp\":\"\(change.version.stamp)\"}\n".utf8)
        }
        return text
    }
}

extension ChangeReply {
    init(_ change: Change) {
        self.init(
            seq: change.sequence, op: change.kind, collection: change.key.collection.name,
            id: change.key.id.description, fields: change.version.content?.fields ?? [:],
            stamp: change.version.stamp.description, origin: change.origin, at: Moment(milliseconds: change.at))
    }
}
