internal import SyncModel

/// Whole nodes with the real machine, merge and store, on a simulated network and clock: one seed, one run.
package enum Simulation {
    /// What came of a run.
    package struct Outcome: Sendable {
        package var settings: SimulationSettings
        package var violations: [Violation]
        /// The numbers of the steps that were taken.
        package var steps: [Int]
        package var trace: [String]
        package var requests: Int
        package var simulatedMilliseconds: UInt64
    }

    /// Runs once, on the caller's thread.
    package static func run(_ settings: SimulationSettings, tracing: Bool = false) -> Outcome {
        run(settings, steps(of: settings), tracing: tracing)
    }

    /// The shortest story that breaks the same promise: steps are left out as long as it still does, and told with its
    /// trace.
    package static func shrunk(_ failed: Outcome) -> Outcome {
        guard let promise = failed.violations.first?.promise else { return failed }
        var steps = steps(of: failed.settings)
        func stillFails(_ steps: [SimulatedStep]) -> Bool {
            run(failed.settings, steps, tracing: false).violations.contains { $0.promise == promise }
        }
        var size = max(1, steps.count / 2)
        var budget = 300
        while size >= 1, budget > 0 {
            var place = steps.count - size
            var dropped = false
            while place >= 0, budget > 0 {
                var fewer = steps
                fewer.removeSubrange(place..<min(place + size, steps.count))
                budget -= 1
                if stillFails(fewer) {
                    steps = fewer
                    dropped = true
                }
                place = min(place, steps.count) - size
            }
            if size == 1, !dropped { break }
            size = dropped ? min(size, max(1, steps.count / 2)) : size / 2
        }
        return run(failed.settings, steps, tracing: true)
    }

    private static func steps(of settings: SimulationSettings) -> [SimulatedStep] {
        if let story = settings.mutation?.story { return story }
        var maker = StoryMaker(settings)
        return maker.steps()
    }

    private static func run(
        _ settings: SimulationSettings, _ steps: [SimulatedStep], tracing: Bool
    ) -> Outcome {
        var outcome = Outcome(
            settings: settings, violations: [], steps: steps.map(\.number), trace: [], requests: 0,
            simulatedMilliseconds: 0)
        do {
            let world = try SimulatedWorld(settings, tracing: tracing)
            defer { world.end() }
            world.run(steps)
            outcome.violations = world.violations
            outcome.trace = world.trace ?? []
            outcome.requests = world.checks.total
            outcome.simulatedMilliseconds = world.elapsed
        } catch {
            outcome.violations = [Violation(promise: .crashed, what: "\(error)", at: 0)]
        }
        return outcome
    }
}
