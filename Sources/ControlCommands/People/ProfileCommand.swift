internal import ArgumentParser
internal import ControlAPI
internal import JSONText
internal import SyncModel

struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "What a person tells of themselves.",
        discussion: "The collection profiles has to be enabled.",
        subcommands: [ProfileShowCommand.self, ProfileSetCommand.self]
    )

    static let collection = CollectionName("profiles")
}

struct ProfileShowCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a profile.")

    @Argument(help: ArgumentHelp("Whose; without it your own.", valueName: "uid"))
    var uid: String?

    @OptionGroup var person: PersonOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: RecordReply = try await session.client.get(
            "\(ControlRoute.profiles)/\((uid ?? person.person).pathPart)")
        let schema = try await session.shownSchema(of: ProfileCommand.collection)
        try session.output.show(RecordAnswer(reply: reply, schema: schema))
    }
}

struct ProfileSetCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Change your profile, or make it.")

    @Option(help: "What you are called.")
    var name: String?

    @Option(help: "Your favourite movie.")
    var movie: String?

    @Option(help: "Your favourite genre.")
    var genre: String?

    @Option(help: "What you tell of yourself.")
    var bio: String?

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    private var given: [String: JSONValue] {
        ["name": name, "movie": movie, "genre": genre, "bio": bio].compactMapValues { $0.map { .string($0) } }
    }

    func validate() throws {
        if given.isEmpty { throw ValidationError("Give --name, --movie, --genre or --bio.") }
    }

    func perform(_ session: Session) async throws {
        let target = await session.editTarget(personal.append.journal)
        let edit: JournalEdit
        if let record = try await session.record(withKey: personal.person, in: ProfileCommand.collection) {
            edit = JournalEdit(.update, in: ProfileCommand.collection, try RecordPrefix(record.id), fields: given)
        } else {
            guard name != nil else {
                throw CommandFailure(.usage, "\(personal.person) has no profile yet: give a --name")
            }
            let fields = given.merging(["uid": .string(personal.person)]) { $1 }
            edit = try await session.creation(of: fields, in: ProfileCommand.collection, target)
        }
        try await session.append([edit], personal.append, to: target)
    }
}
