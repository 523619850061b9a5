internal import ArgumentParser
internal import ControlAPI

/// Which items of the quarantine a command is about: some, or all.
struct QuarantineSelection: ParsableArguments {
    @Argument(help: "The numbers of the items.")
    var ids: [Int64] = []

    @Flag(help: "All items.")
    var all = false

    func validate() throws {
        guard ids.isEmpty || !all else { throw ValidationError("Give the numbers of items or --all, not both.") }
    }

    /// The numbers that were given, or those of all items.
    ///
    /// - Parameter byDefault: whether no number means all items.
    func numbers(_ client: ControlClient, allByDefault byDefault: Bool = false) async throws -> [Int64] {
        guard ids.isEmpty else { return ids }
        guard all || byDefault else {
            throw CommandFailure(.usage, "give the numbers of items, or --all; 'moviesync quarantine' shows them")
        }
        let items: [QuarantineReply] = try await client.all(ControlRoute.quarantine)
        return items.map(\.id)
    }
}
