internal import ArgumentParser

/// What every command takes that appends to the journal.
struct AppendOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The journal to append to.", valueName: "path"))
    var journal: String?

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
}
