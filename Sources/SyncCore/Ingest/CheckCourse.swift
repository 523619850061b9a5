internal import JSONText
package import SyncModel

/// What checks make of one operation: they are asked one after the other, each about what the one before made of the record.
package struct CheckCourse: Sendable {
    package enum Outcome: Sendable {
        /// With the record as it is then; nil where nothing was to be asked.
        case passed(CheckedOperation, leaving: [String: JSONValue]?)
        case refused(Defect)
        /// A check can't be asked, and the line has to wait for it.
        case waits(String)
    }

    package enum Step: Sendable {
        /// This check is to be asked about this record; ``answered(_:)`` takes what it says.
        case ask(String, about: [String: JSONValue])
        case ended(Outcome)
    }

    package private(set) var step: Step

    private let operation: Operation
    private let checks: [CheckRule]
    private let desk: CheckDesk
    private let stored: [String: JSONValue]?
    private let rules: CollectionRules?
    /// The record that the first check is asked about, as the last one has made it, and which check that was.
    private let asked: [String: JSONValue]
    private var fields: [String: JSONValue]
    private var completer: String?
    private var place = 0

    /// - Parameters:
    ///   - checks: in the order in which they are asked.
    ///   - stored: as in ``CheckDesk/subject(of:stored:_:)``.
    ///   - rules: of the collection; nil where it is not enabled.
    package init(
        _ operation: Operation, by checks: [CheckRule], stored: [String: JSONValue]?, _ rules: CollectionRules?,
        _ desk: CheckDesk
    ) {
        self.operation = operation
        self.checks = checks
        self.desk = desk
        self.stored = stored
        self.rules = rules
        let asked = rules.flatMap { desk.subject(of: operation, stored: stored, $0) }
        self.asked = asked ?? [:]
        fields = self.asked
        if let asked, let first = checks.first {
            step = .ask(first.name, about: asked)
        } else {
            step = .ended(.passed(CheckedOperation(operation), leaving: nil))
        }
    }

    /// Takes the answer of the check that ``step`` names; nothing where it names none.
    package mutating func answered(_ answer: CheckAnswer) {
        guard case .ask = step else { return }
        let check = checks[place]
        switch answer {
        case .fine: break
        case .completed(let wanted): (fields, completer) = (wanted, check.name)
        case .refused(let reason):
            step = .ended(.refused(Defect(.refusedByCheck, "the check \(check.name) refuses it: \(reason)")))
            return
        case .down(let reason):
            let words = "the check \(check.name) can't be asked: \(reason)"
            switch check.whenDown {
            case .accept: break
            case .wait:
                step = .ended(.waits(words.oneLine))
                return
            case .refuse:
                step = .ended(.refused(Defect(.refusedByCheck, words)))
                return
            }
        }
        place += 1
        step = place < checks.count ? .ask(checks[place].name, about: fields) : .ended(outcome)
    }

    private var outcome: Outcome {
        let completed = desk.completed(operation, from: asked, to: fields, stored: stored)
        if let completer, let fault = fault(of: completed.operation) {
            return .refused(
                Defect(.refusedByCheck, "the check \(completer) wants what can't be stored: \(fault.message)"))
        }
        return .passed(completed, leaving: fields)
    }

    /// Why what checks have completed can't be stored; nil where it can. In quarantine it would be the line's own fault, and
    /// be tried again as it was.
    private func fault(of operation: Operation) -> Defect? {
        guard let rules else { return nil }
        do throws(Defect) {
            try FieldRules.check(operation.fields)
            func own(_ fields: [String: JSONValue]) -> [String: JSONValue] {
                fields.filter { !rules.identityNames.contains($0.key) }
            }
            _ = try rules.validated(own(operation.fields), over: own(fields))
            if let key = operation.keyInRemote { _ = try rules.key.fields(of: fields, under: key) }
            return nil
        } catch {
            return error
        }
    }
}
