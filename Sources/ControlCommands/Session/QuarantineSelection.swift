internal import ArgumentParser
internal import ControlAPI

/// Which items of the quarantine a command is about: some, or all.
struct QuarantineSelection: ParsableArguments {
    @Argument(help: "The numbers of the items.")
    var ids: [Int64] = []

    @Flag(help: "All items.")
    var all = false

    @Option(help: "All items up to this number.")
    var upTo: Int64?

    func validate() throws {
        let ways = [!ids.isEmpty, all, upTo != nil].count { $0 }
        guard ways <= 1 else { throw ValidationError("Give the numbers of items, --all or --up-to, one of them.") }
    }

    /// Whether it is about more than the items whose numbers were given.
    private var isAboutMany: Bool { all || upTo != nil }

    /// So many are decided with one request, where all are meant.
    private static let batch = 500

    /// Carries out a decision about each of them: with a request for each, or many at once where all are meant.
    ///
    /// - Parameter show: is told what was decided, after each request.
    func decide(
        _ decision: String, _ session: Session, show: (_ ids: [Int64], _ reply: DoneReply) async throws -> Void
    ) async throws {
        let numbers = try await numbers(session.client)
        guard isAboutMany else {
            for id in numbers {
                let reply: DoneReply = try await session.client.post("\(ControlRoute.quarantine)/\(id)/\(decision)")
                try await show([id], reply)
            }
            return
        }
        for start in stride(from: 0, to: numbers.count, by: QuarantineSelection.batch) {
            let ids = Array(numbers[start...].prefix(QuarantineSelection.batch))
            let reply: DoneReply = try await session.client.post(
                "\(ControlRoute.quarantine)/\(decision)", body: QuarantineOrder(ids: ids), wait: .seconds(60))
            try await show(ids, reply)
        }
    }

    /// The numbers that were given, or those of all items.
    ///
    /// - Parameter byDefault: whether no number means all items.
    func numbers(_ client: ControlClient, allByDefault byDefault: Bool = false) async throws -> [Int64] {
        guard ids.isEmpty else { return ids }
        guard isAboutMany || byDefault else {
            throw CommandFailure(
                .usage, "give the numbers of items, --all or --up-to; 'moviesync quarantine' shows them")
        }
        let items: [QuarantineReply] = try await client.all(ControlRoute.quarantine)
        return items.map(\.id).filter { $0 <= upTo ?? .max }
    }
}
