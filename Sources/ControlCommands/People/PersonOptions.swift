internal import ArgumentParser
internal import ControlAPI

/// Who does what a command does.
struct PersonOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Who you are in the database: your user's uid.", valueName: "uid"))
    var person = ControlRoute.localPerson
}
