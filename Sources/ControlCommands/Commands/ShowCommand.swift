internal import ArgumentParser
internal import ControlAPI

struct ShowCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all fields of a record, or of an item of a catalog.")

    @Argument(help: "The id of the record; a unique prefix is enough. Or an item of a catalog, such as tmdb:348.")
    var id: String

    @Option(help: ArgumentHelp("Of an item of a catalog: so many pictures, 4 without it.", valueName: "number"))
    var images: Int?

    @Option(help: ArgumentHelp("How wide pictures have to be at least, in pixels.", valueName: "pixels"))
    var width: Int?

    @Option(help: ArgumentHelp("The collection of the record.", valueName: "name"))
    var collection = CollectionName.default

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (images ?? 4) >= 0, (width ?? 1) > 0 else {
            throw ValidationError("--images and --width take numbers that are not negative.")
        }
    }

    func perform(_ session: Session) async throws {
        if let item = CatalogItemName(id) {
            let reply: CatalogItemReply = try await session.client.get(
                item.path, wait: Session.catalogPatience)
            let schema = try await session.shownSchema(of: CatalogItemAnswer.collection(of: reply))
            try session.output.show(
                CatalogItemAnswer(reply: reply, schema: schema, images: images ?? 4, width: width ?? 500))
            return
        }
        let prefix = try await session.recordPrefix(id, in: collection)
        let record = try await session.client.record(prefix, in: collection)
        try session.output.show(RecordAnswer(reply: record, schema: try await session.shownSchema(of: collection)))
    }
}
