import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

/// Gives a target one input after the other, and can say which one it was when the process did not survive it.
///
/// Before each trial the input is written to ``path``. A signal names it and ends the process; so does a trial that takes too
/// long.
final class FuzzRun: Sendable {
    enum Length: Sendable {
        case turns(Int)
        case seconds(Int)
    }

    /// How long one trial may take, in seconds: by itself, and beside all other tests, which may leave it no processor.
    fileprivate static let timeLimits = (alone: 10, besideOthers: 120)
    /// How much the process may grow, in KiB.
    private static let memoryLimit = 1 << 20

    private let target: FuzzTarget
    private let seed: UInt64
    private let path: String
    private let descriptor: CInt

    init(_ target: FuzzTarget, seed: UInt64) throws {
        self.target = target
        self.seed = seed
        let folder = FileManager.default.temporaryDirectory.path + "/moviesync-fuzz"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = "\(folder)/\(target.name)-\(seed)-\(getpid())"
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Finding("cannot write \(path)") }
    }

    deinit { close(descriptor) }

    /// Tries mutated inputs; returns how many were tried and how many of them were taken.
    func run(_ length: Length, corpus: [[UInt8]]) async throws -> (tried: Int, taken: Int) {
        let tried = Mutex((0, 0))
        try await target.lend { trial in
            var mutator = Mutator(self.target, corpus: corpus, seed: self.seed)
            let end = ContinuousClock.now + (length.time ?? .seconds(3_600))
            var count = 0
            while length.turns.map({ count < $0 }) ?? (ContinuousClock.now < end) {
                let input = mutator.next()
                count += 1
                let isTaken = try await self.attempt(input, trial, within: length.timeLimit)
                tried.withLock { $0 = ($0.0 + 1, $0.1 + (isTaken ? 1 : 0)) }
                if isTaken { mutator.learn(input) }
            }
        }
        unlink(path)
        return tried.withLock { $0 }
    }

    /// Tries inputs as they are.
    func replay(_ inputs: [[UInt8]]) async throws {
        try await target.lend { trial in
            for input in inputs {
                _ = try await self.attempt(input, trial, within: FuzzRun.timeLimits.besideOthers)
            }
        }
        unlink(path)
    }

    private func attempt(
        _ input: [UInt8], _ trial: FuzzTarget.Trial, within seconds: Int
    ) async throws -> Bool {
        ftruncate(descriptor, 0)
        pwrite(descriptor, input, input.count, 0)
        let place = "\(target.name), seed \(seed), input \(path)"
        let before = FuzzRun.memory()
        let watch = watchdog(place, seconds)
        LastWords.prepare("fuzz: the process ended in \(place)\n")
        defer {
            LastWords.forget()
            watch.cancel()
        }
        do {
            let isTaken = try await trial(input)
            let growth = FuzzRun.memory() - before
            guard growth < FuzzRun.memoryLimit else { throw Finding("the process grew by \(growth) KiB") }
            return isTaken
        } catch {
            throw Finding("\(error) (\(place))")
        }
    }

    /// Ends the process when the trial takes too long.
    private func watchdog(_ place: String, _ seconds: Int) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: FuzzRun.queue)
        timer.schedule(deadline: .now() + .seconds(seconds))
        timer.setEventHandler {
            FileHandle.standardError.write(Data("fuzz: more than \(seconds) s in \(place)\n".utf8))
            abort()
        }
        timer.activate()
        return timer
    }

    private static let queue = DispatchQueue(label: "fuzz watchdog")

    /// The most memory the process ever had, in KiB.
    private static func memory() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}

extension FuzzRun.Length {
    fileprivate var turns: Int? {
        if case .turns(let turns) = self { turns } else { nil }
    }
    /// How long one trial may take, in seconds.
    fileprivate var timeLimit: Int { time == nil ? FuzzRun.timeLimits.besideOthers : FuzzRun.timeLimits.alone }
    fileprivate var time: Duration? {
        if case .seconds(let seconds) = self { .seconds(seconds) } else { nil }
    }
}

/// What the process says when a signal ends it.
private enum LastWords {
    private static let capacity = 1024
    nonisolated(unsafe) private static let words = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    nonisolated(unsafe) private static var isArmed = false

    static func prepare(_ text: String) {
        if !isArmed {
            isArmed = true
            for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
                var action = sigaction()
                action.__sigaction_handler.sa_handler = { LastWords.say($0) }
                action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND)) | SA_ONSTACK
                sigaction(signal, &action, nil)
            }
        }
        words.update(repeating: 0, count: capacity)
        text.withCString { _ = strncpy(words, $0, capacity - 1) }
        giveStack()
    }

    static func forget() { words[0] = 0 }

    private static func say(_ signal: CInt) {
        write(STDERR_FILENO, words, strlen(words))
        raise(signal)
    }

    /// A stack of its own for the handler, where this thread has none: its own may be what is used up.
    private static func giveStack() {
        var now = stack_t()
        sigaltstack(nil, &now)
        guard now.ss_flags & CInt(SS_DISABLE) != 0 else { return }
        var mine = stack_t()
        mine.ss_size = 64 << 10
        mine.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: 64 << 10, alignment: 16)
        sigaltstack(&mine, nil)
    }
}
