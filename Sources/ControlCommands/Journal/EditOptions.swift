internal import ArgumentParser

/// What every command takes that edits records.
struct EditOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The journal to append to.", valueName: "path"))
    var journal: String?

    @Option(help: ArgumentHelp("The collection of the record.", valueName: "name"))
    var collection = CollectionName.default

    @Flag(help: "Wait until the remote has the edit; --wait=SECONDS sets a time limit.")
    var wait = false

    @Option(help: .hidden)
    var waitSeconds: Double?

    func validate() throws {
        guard let waitSeconds, !(0...WaitTime.max).contains(waitSeconds) else { return }
        throw ValidationError("--wait takes 0 to \(Int(WaitTime.max)) seconds.")
    }

    /// How long to wait; nil where the person does not want to.
    var waiting: Duration? { WaitTime.chosen(flag: wait, seconds: waitSeconds) }

    /// The arguments with each `--wait=5` as `--wait-seconds=5`: an option can't have its value both ways.
    static func spelledOut(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { argument in
            argument.hasPrefix("--wait=") ? "--wait-seconds=" + argument.dropFirst(7) : argument
        } + arguments[end...]
    }
}
