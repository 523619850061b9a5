internal import ArgumentParser
internal import Foundation
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

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @Option(help: "How many runs, one for each seed from the first one on.")
    var seeds: Int = 1

    @Option(help: "Goes on with further seeds for this many hours.")
    var hours: Double?

    @Option(help: "How many daemons share the database.")
    var nodes: Int = 3

    @Option(help: "How many apps without stamps.")
    var apps: Int = 2

    @Option(help: "How many things happen in a run; drawn by the seed where nothing is said.")
    var steps: Int?

    @Option(help: "all, none, or the words of faults, separated by commas.")
    var faults = FaultList.all

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
        guard seeds > 0, nodes > 0, apps >= 0, steps ?? 0 >= 0 else {
            throw ValidationError("--seeds and --nodes are at least 1, --apps and --steps at least 0")
        }
        guard keys != .fields || (pull != .incremental && rules == nil) else {
            throw ValidationError("--keys fields goes with --pull full, and without --rules")
        }
    }

    func run() async throws {
        try await reportingFailure {
            let rules = try rules.map { path in [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
            let failed = trace ? try tell(rules) : try runAll(rules)
            guard let failed else { return }
            let shortest = Simulation.shrunk(failed)
            try StandardOutput.writeLine(shortest.story)
            throw ExitCode(1)
        }
    }

    private func settings(_ seed: UInt64, _ rules: [UInt8]?) -> SimulationSettings {
        var settings = SimulationSettings.drawn(seed: seed, rules: rules)
        settings.nodes = nodes
        settings.apps = apps
        if let steps { settings.steps = steps }
        settings.faults = faults.faults
        settings.mutation = wrong
        if let pull { settings.pull = pull == .full ? .full : .incremental }
        if let merge { settings.mergesByRecord = merge == .record }
        if let keys { settings.areKeyed = keys == .fields }
        if pull == .incremental { settings.areKeyed = false }
        if settings.areKeyed { (settings.pull, settings.writeGuard, settings.rules) = (.full, .etag, nil) }
        return settings
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
            let tally = Simulation.runAll((first..<first + UInt64(seeds)).map { settings($0, rules) })
            total.add(tally)
            first += UInt64(seeds)
        } while total.failed == nil && end.map { ContinuousClock.now < $0 } ?? false
        let time = began.duration(to: .now).formatted(.units(allowed: [.hours, .minutes, .seconds]))
        try StandardOutput.writeLine("\(total.description) in \(time)")
        return total.failed
    }
}

extension SimulatedMutation: ExpressibleByArgument {}

/// The faults of a run, as the command line names them.
struct FaultList: ExpressibleByArgument {
    static let all = FaultList(faults: Set(Fault.allCases))

    var faults: Set<Fault>

    private init(faults: Set<Fault>) { self.faults = faults }

    init?(argument: String) {
        switch argument {
        case "all": self = .all
        case "none": faults = []
        default:
            let words = argument.split(separator: ",")
            faults = Set(words.compactMap { Fault(rawValue: String($0)) })
            guard faults.count == words.count else { return nil }
        }
    }

    var defaultValueDescription: String { "all" }
}
