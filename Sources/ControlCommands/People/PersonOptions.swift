internal import ArgumentParser
internal import ControlAPI

/// Who does what a command does.
struct PersonOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Who you are in the database: your user's uid.", valueName: "uid"))
    var person = ControlRoute.localPerson
}

/// What every command takes by which somebody says something.
struct PersonalEditOptions: ParsableArguments {
    @OptionGroup var who: PersonOptions
    @OptionGroup var append: AppendOptions

    /// The uid of whoever says it.
    var person: String { who.person }
}
