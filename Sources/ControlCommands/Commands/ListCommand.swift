internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct ListCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the records of a collection.")

    @Argument(help: "The collection.")
    var collection = CollectionName.default

    @Option(help: ArgumentHelp("Group by a field, or by the mark: watched.", valueName: "field"))
    var group: String?

    @Option(
        help: ArgumentHelp(
            "Only records whose title contains this text; or field=value, field~text, joined by commas.",
            valueName: "text"
        )
    )
    var filter: String?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let schema = try await session.shownSchema(of: collection)
        let filter = filter.map { ListCommand.filter($0, of: schema) }
        let field = group == schema.markName ? schema.mark : group
        let output = session.output
        if output.json {
            var listing = RecordListingJSON()
            try await session.client.recordPages(of: collection, where: filter) { page in
                try output.write(listing.take(page.records))
            }
            try output.write(line: listing.end())
        } else {
            var listing = RecordListing(schema, group: field, output.style)
            try await session.client.recordPages(of: collection, where: filter) { page in
                guard let records = page.values() else { throw ControlClient.unreadable }
                try output.write(text: listing.take(records))
            }
            try output.write(text: listing.end())
        }
    }

    /// A filter as the socket knows it; text without a field is looked for in the title.
    static func filter(_ text: String, of collection: CollectionSchema) -> RecordFilter {
        let names = text.prefix { $0 != "=" && $0 != "~" }
        let isExpression =
            names.endIndex != text.endIndex && !names.isEmpty
            && names.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        if isExpression, let filter = try? RecordFilter(parsing: text) { return filter }
        return RecordFilter([.init(collection.titleField, .contains, text)])
    }
}
