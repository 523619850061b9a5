internal import ArgumentParser
internal import ControlAPI
internal import JSONText
internal import OperatingSystem
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
        let shown = try await session.person(called: uid ?? person.given)
        let reply: RecordReply = try await session.client.get(
            "\(ControlRoute.profiles)/\(shown.pathPart)")
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

    @Option(
        help: ArgumentHelp("A picture of you, JPEG or PNG, of up to 5 MiB; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["jpg", "jpeg", "png"]))
    var picture: String?

    @Flag(help: "Remove your picture.")
    var noPicture = false

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    private var given: [String: JSONValue] {
        ["name": name, "movie": movie, "genre": genre, "bio": bio].compactMapValues { $0.map { .string($0) } }
    }

    func validate() throws {
        if given.isEmpty, picture == nil, !noPicture {
            throw ValidationError("Give --name, --movie, --genre, --bio, --picture or --no-picture.")
        }
        if picture != nil, noPicture { throw ValidationError("Give either --picture or --no-picture.") }
    }

    func perform(_ session: Session) async throws {
        let person = try await session.person(personal.who)
        let target = try await session.editTarget(personal.append.journal)
        let record = try await session.record(withKey: person, in: ProfileCommand.collection)
        guard record != nil || name != nil else {
            throw CommandFailure(.usage, "\(person) has no profile yet: give a --name")
        }
        var fields = given
        // Stored first: what is not there is not named.
        if let picture { fields["photo"] = .string(try await store(picture, of: person, session)) }
        if noPicture {
            let _: DoneReply = try await session.client.delete(ControlRoute.picture(of: person.pathPart))
            fields["photo"] = .null
        }
        let edit: JournalEdit
        if let record {
            edit = JournalEdit(.update, in: ProfileCommand.collection, try RecordPrefix(record.id), fields: fields)
        } else {
            fields["uid"] = .string(person)
            edit = try await session.creation(of: fields, in: ProfileCommand.collection, target)
        }
        try await session.append([edit], by: person, personal.append, to: target)
    }

    /// Has the daemon store a picture; the address at which it is seen.
    private func store(_ file: String, of person: String, _ session: Session) async throws -> String {
        var picture: [UInt8] = []
        do {
            try InputFile.read(file) { piece in
                picture += piece
                guard picture.count <= ControlRoute.maxPicture else {
                    throw CommandFailure(.badData, "\(file) has more than 5 MiB: make it smaller")
                }
            }
        } catch let error as SystemError {
            throw CommandFailure(.inputOutput, "the picture can't be read: \(error)")
        }
        let reply: PortraitReply = try await session.client.post(
            ControlRoute.picture(of: person.pathPart), bytes: picture, wait: .seconds(60))
        return reply.photo
    }
}
