internal import ArgumentParser

/// What every command takes that edits records.
struct EditOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The collection of the record.", valueName: "name"))
    var collection = CollectionName.default

    @OptionGroup var append: AppendOptions

    var journal: String? { append.journal }

    /// The arguments with each `--wait=5` as `--wait-seconds=5`: an option can't have its value both ways.
    static func spelledOut(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { argument in
            argument.hasPrefix("--wait=") ? "--wait-seconds=" + argument.dropFirst(7) : argument
        } + arguments[end...]
    }

    /// A complaint about them, in the words that were typed.
    static func asTyped(_ complaint: String) -> String { complaint.replacing("--wait-seconds", with: "--wait") }
}
