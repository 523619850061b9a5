internal import Dispatch
internal import Synchronization

extension Simulation {
    /// What came of many runs.
    package struct Tally: Sendable {
        package private(set) var runs = 0
        package private(set) var failures = 0
        package private(set) var requests = 0
        private var milliseconds: UInt64 = 0
        private var failedSeeds: [UInt64] = []
        /// The failed run with the lowest seed.
        package private(set) var failed: Outcome?

        package init() {}

        mutating func add(_ outcome: Outcome) {
            runs += 1
            requests += outcome.requests
            milliseconds += outcome.simulatedMilliseconds
            guard !outcome.violations.isEmpty else { return }
            failures += 1
            failedSeeds.append(outcome.settings.seed)
            if failed.map({ outcome.settings.seed < $0.settings.seed }) ?? true { failed = outcome }
        }

        package mutating func add(_ other: Tally) {
            runs += other.runs
            failures += other.failures
            failedSeeds += other.failedSeeds
            requests += other.requests
            milliseconds += other.milliseconds
            failed = failed ?? other.failed
        }

        package var description: String {
            let days = milliseconds / 86_400_000
            let failed = failedSeeds.sorted().map(String.init).joined(separator: ", ")
            let seeds = failedSeeds.isEmpty ? "" : " (seeds \(failed))"
            return "\(runs) runs, \(failures) failed\(seeds); \(requests) requests, \(days) days of simulated time"
        }
    }

    /// Runs all, as many at a time as there are processors.
    package static func runAll(_ settings: [SimulationSettings]) -> Tally {
        let tally = Mutex(Tally())
        DispatchQueue.concurrentPerform(iterations: settings.count) { index in
            let outcome = run(settings[index])
            tally.withLock { $0.add(outcome) }
        }
        return tally.withLock { $0 }
    }
}

extension Simulation.Outcome {
    /// All that is known of the run, for people.
    package var story: String {
        var lines = trace
        lines.append("")
        for violation in violations { lines.append("broken: \(violation)") }
        lines.append("settings: \(settings.description)")
        lines.append("steps: \(steps.map(String.init).joined(separator: " "))")
        lines.append("again: " + settings.command.joined(separator: " "))
        return lines.joined(separator: "\n")
    }
}
