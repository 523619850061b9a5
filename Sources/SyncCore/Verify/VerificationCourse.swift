package import SyncModel

/// One comparison of a collection with the remote (`docs/operations.md`): the keys, then the bodies in pages, then what
/// differs once more. It tells what to ask for next, and takes the answer; asking is for others.
package struct VerificationCourse: Sendable {
    /// What differs, by its key.
    package struct Difference: Hashable, Sendable {
        package var key: String
        package var finding: BaseComparison.Finding
    }

    /// What is to be asked for.
    package struct Question: Hashable, Sendable {
        package var call: RemoteCall
        /// How many milliseconds pass before.
        package var pause: UInt64 = 0
    }

    /// Nil at the end.
    package private(set) var question: Question?
    /// How many keys the remote has.
    package private(set) var compared = 0

    private let rules: CollectionRules
    private let pace: UInt64
    /// By the bytes of their keys: Unicode has more than one spelling for a text, and the remote a place for each.
    private var findings: [[UInt8]: Difference] = [:]
    /// Keys that are still to be looked at again; the next one is the last.
    private var again: [String] = []
    /// What apps change was given the time to be taken.
    private var hasWaited = false
    private var pageSize = PageSize(standard: VerificationCourse.pageSize)
    /// From where on a page of one record is not let through: which one that is, the keys tell.
    private var refusedFrom: String?

    package static let pageSize = 500
    /// More than these are not looked at again.
    private static let most = 1_000
    /// In milliseconds: what apps change waits so long at most until it is taken.
    private static let patience: UInt64 = 4_000

    /// - Parameter pace: milliseconds between two pages.
    package init(_ rules: CollectionRules, pace: UInt64 = 0) {
        (self.rules, self.pace) = (rules, pace)
        question = Question(call: .keys(.records(rules.id)))
    }

    /// In the order of the bytes of the keys.
    package var differences: [Difference] {
        findings.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// Compares the answer to the question with what this node knows; nil where the two agree.
    package func compare(
        _ answer: CollectionMachine.Answer, _ time: StampPolicy, _ book: some RecordBook
    ) throws -> [(key: String, finding: BaseComparison.Finding?)] {
        switch answer {
        case .keys(let keys): try missing(from: keys, book).map { ($0, .missingThere) }
        case .page(let page): try page.entries.map { try compare($0, time, book) }
        case .entry(let entry): [try compare(entry, time, book)]
        default: []
        }
    }

    /// Takes the answer to the question, compared. Any other answer ends it as it is.
    ///
    /// - Parameter isBusy: something that the remote shows is still to be taken.
    package mutating func take(
        _ answer: CollectionMachine.Answer, _ compared: [(key: String, finding: BaseComparison.Finding?)], isBusy: Bool
    ) {
        question = nil
        for (key, finding) in compared { note(key, finding) }
        switch answer {
        case .keys(let keys):
            if let first = refusedFrom { return goOn(behind: first, among: keys) }
            self.compared = keys.count
            askForPage(from: nil)
        case .page(let page):
            pageSize.answered()
            if let next = page.next { askForPage(from: next, after: pace) } else { lookAgain() }
        case .entry:
            guard again.isEmpty else { return askForNext() }
            guard isBusy, !hasWaited else { return }
            hasWaited = true
            lookAgain(after: VerificationCourse.patience)
        default: break
        }
    }

    /// A request has failed. A page that is refused may be too long, for the remote or for what stands before it: less is asked
    /// for then. A record that alone is too long is unreadable, and the others are compared all the same.
    ///
    /// - Returns: whether it goes on; else that is its end.
    package mutating func goesOn(after error: RemoteError) -> Bool {
        let isRefused = error.code == .tooLarge || error.code == .refused
        guard let call = question?.call, isRefused || error.code == .outcomeUnknown else { return false }
        switch call {
        case .readRange(let first, _, let limit, _):
            pageSize.failed(at: limit)
            if limit > 1 {
                askForPage(from: first)
            } else {
                // Keys that are made of fields are in an order of their own.
                guard isRefused, !rules.key.isKeyed else { return false }
                refusedFrom = first ?? ""
                question = Question(call: .keys(.records(rules.id)))
            }
        case .read(let key, _) where isRefused:
            note(key, .unreadable)
            question = nil
            askForNext()
        default: return false
        }
        return true
    }

    /// What tells the collection's machine to mend what was found. What is missing there may be a wiped remote as well as single
    /// deletes: that is for the comparison of all keys, with its brakes.
    package var repairs: [CollectionMachine.Input] {
        func keys(_ wanted: BaseComparison.Finding...) -> [String] {
            differences.filter { wanted.contains($0.finding) }.map(\.key)
        }
        let (again, seconds) = (keys(.differs, .missingHere, .unreadable), keys(.secondKey))
        var inputs: [CollectionMachine.Input] = []
        if !again.isEmpty { inputs.append(.readKeys(again)) }
        if !seconds.isEmpty { inputs.append(.secondKeys(seconds)) }
        if !keys(.missingThere).isEmpty { inputs.append(.reconcile) }
        return inputs
    }

    // MARK: Questions

    private mutating func askForPage(from first: String?, after pause: UInt64 = 0) {
        let call = RemoteCall.readRange(from: first, through: nil, limit: pageSize.limit, .records(rules.id))
        question = Question(call: call, pause: pause)
    }

    /// The first of these keys that is not before `first` is that of the record that is not let through.
    private mutating func goOn(behind first: String, among keys: [String]) {
        refusedFrom = nil
        let rest = keys.filter { !$0.utf8.lexicographicallyPrecedes(first.utf8) }
        guard let refused = rest.min(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) else { return lookAgain() }
        note(refused, .unreadable)
        let next = rest.filter { $0 != refused }.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if let next { askForPage(from: next, after: pace) } else { lookAgain() }
    }

    private mutating func note(_ key: String, _ finding: BaseComparison.Finding?) {
        findings[Array(key.utf8)] = finding.map { Difference(key: key, finding: $0) }
    }

    /// What was on its way while the keys and pages were read is no difference; nor is what the node is still about to take.
    private mutating func lookAgain(after pause: UInt64 = 0) {
        again = differences.prefix(VerificationCourse.most).map(\.key).reversed()
        askForNext(after: pause)
    }

    private mutating func askForNext(after pause: UInt64 = 0) {
        guard let key = again.popLast() else { return }
        question = Question(call: .read(key, .records(rules.id)), pause: pause)
    }

    // MARK: Answers

    /// The keys under which the base has something, and that are not there.
    private func missing(from keys: [String], _ book: some RecordBook) throws -> [String] {
        let shown = Set(keys.compactMap(rules.recordID(of:)))
        var absent: [RecordID] = []
        try book.forEachInBase(of: rules.id) { _, id in if !shown.contains(id) { absent.append(id) } }
        return try absent.map { try book.record(RecordKey(rules.id, $0)).state.keyInRemote }
    }

    private func compare(
        _ entry: RemoteEntry, _ time: StampPolicy, _ book: some RecordBook
    ) throws -> (key: String, finding: BaseComparison.Finding?) {
        let state = try rules.recordID(of: entry.key).map { try book.record(RecordKey(rules.id, $0)).state }
        return (entry.key, BaseComparison(rules, time).finding(on: entry, state))
    }
}

/// When a collection is compared by itself.
package enum WeeklyVerification {
    private static let week: UInt64 = 7 * 86_400_000

    /// - Parameters:
    ///   - last: when one ended, or began to be waited for, in milliseconds since 1970. A clock that was ahead then says nothing.
    package static func isDue(since last: UInt64, at now: UInt64) -> Bool { now >= last + week || now < last }
}
