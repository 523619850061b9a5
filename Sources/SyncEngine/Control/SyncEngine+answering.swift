internal import PluginKit
internal import SyncCore
internal import SyncModel

extension EngineContext {
    /// Asks the remote for a record that there is not: only that it answers matters. Nothing where nothing is synced.
    func askRemote() async throws {
        guard let collection = session.collections.first?.id else { return }
        _ = try await remote.read("moviesync-probe", in: .records(collection))
    }
}

extension SyncEngine {
    /// How long the remote may take to answer, however little time whoever asks has left.
    static let leastPatience = Duration.seconds(2)

    /// How long whoever looks at the remote waits for its first answer: shorter than anybody waits for the daemon's.
    static let answerPatience = Duration.seconds(10)

    /// Asks the remote, so that nobody takes one that hangs for one that has nothing to tell: a stream notices that only after
    /// 80 s (`docs/protocol.md` section 8).
    ///
    /// - Returns: in one line, why nobody can tell what the remote has; nil where it answers, or where nothing is synced.
    func remoteSilence(within time: Duration) async -> String? {
        do {
            let answered: Void? = try await withTimeout(time) { [context] in try await context.askRemote() }
            return answered == nil ? "the remote does not answer" : nil
        } catch let error as RemoteError where error.isOfWhatIsAskedFor {
            // It is there, whatever it says of that record.
            return nil
        } catch {
            return "the remote can't be read: \((error as? RemoteError)?.message ?? "\(error)")"
        }
    }
}

/// Whether the remote has answered somebody who waits, and when it is asked again.
struct RemoteInquiry {
    private(set) var isOver: Bool
    /// Why nobody can tell what the remote has, as of the last question.
    private(set) var silence: String?
    private var askedAgain = ContinuousClock.now
    private var backoff = Backoff()

    init(isOver: Bool) { self.isOver = isOver }

    var isDue: Bool { ContinuousClock.now >= askedAgain }

    /// - Parameter silence: nil where it has answered.
    mutating func noteAnswer(_ silence: String?) {
        self.silence = silence
        isOver = silence == nil
        askedAgain = .now + backoff.failed(random: .random(in: 0...1))
    }
}
