internal import ArgumentParser
internal import Foundation
internal import OperatingSystem
internal import Simulation
internal import SyncModel
internal import Synchronization

/// `moviesyncd simulate`: whole nodes on a simulated network and clock, with every fault there is.
struct SimulateCommand: AsyncParsableCommand {
    enum Pull: String, ExpressibleByArgument { case full, incremental }
    enum Merge: String, ExpressibleByArgument { case fields, record }
    enum Keys: String, ExpressibleByArgument { case uuids, fields }

    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run whole nodes on a simulated network, with faults, and check what is promised.",
        discussion: """
            Runs the rules of syncing as they ship, with a state in memory and a database without a server. One seed is \
            one run, the same every time. Where a promise is broken it prints the seed, the steps that are needed for it \
            and all that happened in them, and exits with 1.
            """,
        shouldDisplay: false
    )

    @Option(parsing: .unconditional, help: "The first seed.", transform: SimulateCommand.number(in: 0...UInt64.max))
    var seed: UInt64 = 1

    @Option(
        parsing: .unconditional, help: "How many runs, one for each seed from the first one on.",
        transform: SimulateCommand.number(in: 1...1_000_000))
    var seeds: Int = 1

    @Option(
        parsing: .unconditional, help: "Goes on with further seeds for this many hours.",
        transform: SimulateCommand.hours)
    var hours: Double?

    @Option(
        parsing: .unconditional, help: "How many daemons share the database.",
        transform: SimulateCommand.number(in: 1...100))
    var nodes: Int = 3

    @Option(
        parsing: .unconditional, help: "How many apps without stamps.", transform: SimulateCommand.number(in: 0...100))
    var apps: Int = 2

    @Option(
        parsing: .unconditional, help: "How many things happen in a run; drawn by the seed where nothing is said.",
        transform: SimulateCommand.number(in: 0...100_000))
    var steps: Int?

    @Option(
        parsing: .unconditional,
        help: "all, none, or the words of faults, separated by commas; all, unless --wrong says otherwise.",
        transform: FaultList.init(words:))
    var faults: FaultList?

    @Option(help: "full or incremental; drawn by the seed where nothing is said.")
    var pull: Pull?

    @Option(help: "fields or record; drawn by the seed where nothing is said.")
    var merge: Merge?

    @Option(help: "uuids, or fields, which are pulled in full; drawn by the seed where nothing is said.")
    var keys: Keys?

    @Option(help: "The file with the security rules that the database has in some of the runs.")
    var rules: String?

    @Option(help: "A rule to turn wrong, to see whether that is noticed.")
    var wrong: SimulatedMutation?

    @Flag(help: "Tells all that happens in the first run.")
    var trace = false

    func validate() throws {
        guard keys != .fields || (pull != .incremental && rules == nil) else {
            throw ValidationError("--keys fields goes with --pull full, and without --rules")
        }
    }

    func run() async throws {
        try await reportingFailure {
            let rules = try rules.map(SimulateCommand.content)
            let failed = trace ? try tell(rules) : try runAll(rules)
            guard let failed else { return }
            let shortest = Simulation.shrunk(failed)
            try StandardOutput.writeLine(shortest.story)
            throw ExitCode(1)
        }
    }

    /// What the run of a seed is like; it names the command line that gives it again.
    ///
    /// - Parameter rules: the content of the file ``rules``.
    func settings(_ seed: UInt64, _ rules: [UInt8]?) -> SimulationSettings {
        var settings = SimulationSettings.drawn(seed: seed, rules: rules)
        if let wrong { settings.turnWrong(wrong) }
        settings.options = options
        settings.nodes = nodes
        settings.apps = apps
        if let steps { settings.steps = steps }
        if let faults { settings.faults = faults.faults }
        if let pull { settings.pull = pull == .full ? .full : .incremental }
        if let merge { settings.mergesByRecord = merge == .record }
        if let keys { settings.areKeyed = keys == .fields }
        if pull == .incremental { settings.areKeyed = false }
        if settings.areKeyed { (settings.pull, settings.writeGuard, settings.rules) = (.full, .etag, nil) }
        return settings
    }

    private var options: [String] {
        let said = [
            ("pull", pull?.rawValue), ("merge", merge?.rawValue), ("keys", keys?.rawValue), ("rules", rules),
        ]
        return said.flatMap { name, value in value.map { ["--\(name)", $0] } ?? [] }
    }

    private func tell(_ rules: [UInt8]?) throws -> Simulation.Outcome? {
        let outcome = Simulation.run(settings(seed, rules), tracing: true)
        for line in outcome.trace { try StandardOutput.writeLine(line) }
        return outcome.violations.isEmpty ? nil : outcome
    }

    /// Runs all seeds, as many at a time as there are processors; gives the failed one with the lowest seed.
    private func runAll(_ rules: [UInt8]?) throws -> Simulation.Outcome? {
        let began = ContinuousClock.now
        let end = hours.map { began + .seconds($0 * 3600) }
        var first = seed
        var total = Simulation.Tally()
        repeat {
            let tally = Simulation.runAll((0..<UInt64(seeds)).map { settings(first &+ $0, rules) })
            total.add(tally)
            // The last seed is followed by the first one.
            first &+= UInt64(seeds)
        } while total.failed == nil && end.map { ContinuousClock.now < $0 } ?? false
        let time = began.duration(to: .now).formatted(.units(allowed: [.hours, .minutes, .seconds]))
        try StandardOutput.writeLine("\(total.description) in \(time)")
        return total.failed
    }
}

extension SimulateCommand {
    /// Reads a whole number in these bounds, also one that begins with a minus, as the refusal has to name it.
    private static func number<Number: FixedWidthInteger & Sendable>(
        in range: ClosedRange<Number>
    ) -> @Sendable (String) throws -> Number {
        { text in
            guard let number = Number(text), range.contains(number) else {
                throw ValidationError("it is no whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    private static func hours(_ text: String) throws -> Double {
        guard let hours = Double(text), (0...100_000).contains(hours) else {
            throw ValidationError("it is no number from 0 to 100000")
        }
        return hours
    }

    private static func content(ofRules path: String) throws -> [UInt8] {
        let text: [UInt8]
        do throws(SystemError) {
            let file = try ReadableFile(path: path)
            text = try file.read(at: 0, count: Int(file.identity().size))
        } catch {
            throw CommandFailure(error.isPermission ? .permission : .inputOutput, "\(error); give another --rules")
        }
        if let fault = Simulation.fault(ofRules: text) {
            let place = "\(path):\(fault.line):\(fault.column)"
            throw CommandFailure(.dataError, "\(place): \(fault.message); give another --rules")
        }
        return text
    }
}

extension SimulatedMutation: ExpressibleByArgument {}

/// The faults of a run, as the command line names them.
struct FaultList: CustomStringConvertible {
    static let all = FaultList(faults: Set(Fault.allCases))

    var faults: Set<Fault>

    private init(faults: Set<Fault>) { self.faults = faults }

    init(words: String) throws {
        switch words {
        case "all": self = .all
        case "none": self.init(faults: [])
        default:
            let found = try words.split(separator: ",", omittingEmptySubsequences: false).map { word in
                guard let fault = Fault(rawValue: String(word)) else { throw FaultList.refusal(of: String(word)) }
                return fault
            }
            self.init(faults: Set(found))
        }
    }

    private static func refusal(of word: String) -> ValidationError {
        let what = word.isEmpty ? "a word is missing" : "there is no fault \(word)"
        let words = Fault.allCases.map(\.rawValue).joined(separator: ", ")
        return ValidationError("\(what): say all, none, or some of \(words)")
    }

    var description: String { self == .all ? "all" : faults.map(\.rawValue).sorted().joined(separator: ",") }
}

extension FaultList: Equatable {}
