internal import ControlAPI
internal import JSONText
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// Asks the checks about lines of the journal; what their answers mean is a matter of ``CheckDesk`` and ``CheckCourse``.
struct LineChecks: Sendable {
    let context: EngineContext

    /// After how long it is said that lines wait for answers, in milliseconds.
    private static let patience: UInt64 = 10_000
    /// How long it is waited for a check that can't be asked, in milliseconds.
    private static let pauses: ClosedRange<UInt64> = 500...10_000

    /// How far the asking about some lines has come.
    enum Progress: Sendable {
        case begun
        /// It takes long, and so many lines are left.
        case lasts(left: Int)
        /// A check can't be asked, for this reason.
        case waits(String)
        /// Nothing is waited for any more.
        case goesOn
    }

    /// The lines as checks let them through: unchanged, completed, or with what is said against them.
    ///
    /// - Parameter tell: not called where nothing is asked.
    func checked(
        _ lines: [JournalMachine.Line], of collections: Set<CollectionID>, _ tell: (Progress) -> Void
    ) async throws -> [JournalMachine.Line] {
        var rules: [CollectionID: [CheckRule]] = [:]
        for collection in collections { rules[collection] = await context.checks.checks(of: collection) }
        try Task.checkCancellation()
        guard rules.values.contains(where: { !$0.isEmpty }) else { return lines }
        var (lines, desk) = (lines, CheckDesk())
        tell(.begun)
        defer { tell(.goesOn) }
        let began = context.clock.monotonic()
        for index in lines.indices {
            if context.clock.monotonic() >= began + LineChecks.patience { tell(.lasts(left: lines.count - index)) }
            guard case .success(let operation) = lines[index].operation else { continue }
            switch try await untilAsked(operation, rules[operation.key.collection] ?? [], desk, tell) {
            case .passed(let checked, let fields):
                desk.passed(checked.operation, leaving: fields)
                guard checked.operation != operation else { continue }
                lines[index] = lines[index].completed(checked, context.applier.checked(checked.operation))
            case .refused(let defect): lines[index] = lines[index].refused(defect)
            case .waits: continue
            }
        }
        return lines
    }

    private func untilAsked(
        _ operation: Operation, _ checks: [CheckRule], _ desk: CheckDesk, _ tell: (Progress) -> Void
    ) async throws -> CheckCourse.Outcome {
        var pause = LineChecks.pauses.lowerBound
        var (hasWaited, checks) = (false, checks)
        while true {
            let outcome = try await ask(operation, checks, desk)
            guard case .waits(let reason) = outcome else {
                if hasWaited { tell(.goesOn) }
                return outcome
            }
            hasWaited = true
            tell(.waits(reason))
            await context.clock.sleep(context.clock.monotonic() + pause)
            try Task.checkCancellation()
            pause = min(pause * 2, LineChecks.pauses.upperBound)
            // A reload may have changed them.
            checks = await context.checks.checks(of: operation.key.collection)
            try Task.checkCancellation()
        }
    }

    /// Asks about one operation, with nothing of a batch before it.
    func ask(_ operation: Operation) async throws -> CheckCourse.Outcome {
        let checks = await context.checks.checks(of: operation.key.collection)
        try Task.checkCancellation()
        return try await ask(operation, checks, CheckDesk())
    }

    private func ask(
        _ operation: Operation, _ checks: [CheckRule], _ desk: CheckDesk
    ) async throws -> CheckCourse.Outcome {
        var stored: [String: JSONValue]?
        if !checks.isEmpty, operation.kind == .update, !desk.knows(operation.key) {
            stored = try await context.store.read { try $0.record(operation.key).state.view?.fields }
        }
        let collection = operation.key.collection
        var course = CheckCourse(operation, by: checks, stored: stored, context.rules(collection), desk)
        while true {
            switch course.step {
            case .ended(let outcome): return outcome
            case .ask(let check, let fields):
                let answer = await context.checks.ask(check, about: fields, in: collection)
                // Who stops waiting for an answer has none.
                try Task.checkCancellation()
                course.answered(answer)
            }
        }
    }
}
