internal import PluginKit
internal import SyncModel

extension SyncEngine {
    /// How long the remote may take to answer, however little time whoever asks has left.
    private static let leastPatience = Duration.seconds(2)

    /// Asks the remote for a record that there is not, so that nobody takes one that hangs for one that has nothing to tell:
    /// a stream notices that only after 80 s (`docs/protocol.md` section 8).
    ///
    /// - Parameter deadline: when it must have answered, where there are more than 2 s until then.
    /// - Returns: in one line, why nobody can tell what the remote has; nil where it answers, or where nothing is synced.
    func remoteSilence(until deadline: ContinuousClock.Instant) async -> String? {
        guard let collection = context.session.collections.first?.id else { return nil }
        let (remote, end) = (context.remote, max(deadline, .now + SyncEngine.leastPatience))
        return await withTaskGroup(of: String?.self) { group in
            group.addTask {
                do {
                    _ = try await remote.read("moviesync-probe", in: .records(collection))
                    return nil
                } catch let error as RemoteError where error.isAnAnswer {
                    return nil
                } catch {
                    return "the remote can't be read: \((error as? RemoteError)?.message ?? "\(error)")"
                }
            }
            group.addTask {
                try? await Task.sleep(until: end)
                return "the remote does not answer"
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// Whether the remote has answered somebody who waits, and when it is asked again.
struct RemoteInquiry {
    private(set) var isOver: Bool
    /// Why nobody can tell what the remote has, as of the last question.
    private(set) var silence: String?
    private var askedAgain = ContinuousClock.now
    private var pause = Duration.milliseconds(500)

    init(isOver: Bool) { self.isOver = isOver }

    var isDue: Bool { ContinuousClock.now >= askedAgain }

    /// - Parameter silence: nil where it has answered.
    mutating func noteAnswer(_ silence: String?) {
        self.silence = silence
        isOver = silence == nil
        askedAgain = .now + pause
        pause = min(pause * 2, .seconds(60))
    }
}

extension RemoteError {
    /// Whether the server has said something about the record itself: it is there, whatever that was.
    fileprivate var isAnAnswer: Bool { [.denied, .refused, .tooLarge].contains(code) }
}
