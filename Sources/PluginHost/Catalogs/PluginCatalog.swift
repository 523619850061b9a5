internal import ControlAPI
package import PluginKit
internal import PluginWire
package import SyncModel

/// A catalog that a plugin in another process is.
struct PluginCatalog: Catalog {
    let description: CatalogDescription
    let obstacle: CatalogError?
    private let host: PluginHost
    private let titleField: String

    /// - Parameter titleField: the field of its collection that an item's title goes to.
    init?(_ plugin: PluginReply, _ host: PluginHost, titleField: (CollectionID) -> String) {
        guard let provided = plugin.provides["catalog"]?.members else { return nil }
        let collection = provided["collection"]?.text.flatMap { CollectionID($0) } ?? .default
        var lists: [String] = []
        if case .array(let names)? = provided["lists"] { lists = names.compactMap(\.text) }
        var hosts: Set<String> = []
        if case .array(let names)? = provided["hosts"] { hosts = Set(names.compactMap { $0.text?.lowercased() }) }
        var description = CatalogDescription(
            name: plugin.name, title: plugin.program ?? plugin.name, collection: collection, lists: lists,
            attribution: provided["attribution"]?.text ?? "", keyPage: "", imageHosts: hosts)
        description.searches = provided["search"]?.truth ?? false
        description.knowsDetails = provided["details"]?.truth ?? false
        // It counts its requests itself.
        description.readsAhead = false
        self.description = description
        self.host = host
        self.titleField = titleField(collection)
        switch plugin.state {
        case .down, .refused:
            obstacle = CatalogError(
                .unavailable, "the plugin \(plugin.name) is \(plugin.state): \(plugin.reason ?? "see its log")")
        case .idle, .starting, .running, .stopping, .resting: obstacle = nil
        }
    }

    func page(_ query: CatalogQuery, known: String?) async throws(CatalogError) -> CatalogReading<CatalogPage> {
        var arguments: [String: JSONValue] = ["page": query.page.map { .string($0) } ?? .null]
        let call: String
        switch query.subject {
        case .search(let text):
            call = "catalog.search"
            arguments["query"] = .string(text)
            if let year = query.year { arguments["year"] = .integer(Int64(year)) }
        case .list(let name):
            call = "catalog.list"
            arguments["list"] = .string(name)
        }
        let (items, end) = try await answers(to: call, arguments)
        let rows = items.compactMap { PluginCatalog.row($0, titleField) }
        return CatalogReading(
            CatalogPage(
                rows: rows, next: end.members?["next"]?.text, total: end.members?["total"]?.whole.map(Int.init),
                skipped: items.count - rows.count))
    }

    func details(
        of key: String, language: String, known: String?
    ) async throws(CatalogError) -> CatalogReading<CatalogRow> {
        let (items, end) = try await answers(to: "catalog.details", ["key": .string(key)])
        let item = end.members?["key"] == nil ? items.first ?? end : end
        guard let row = PluginCatalog.row(item, titleField) else {
            throw CatalogError(.unavailable, "\(description.name) told details without a key or a title")
        }
        return CatalogReading(row)
    }

    private func answers(
        to call: String, _ arguments: [String: JSONValue]
    ) async throws(CatalogError) -> (items: [JSONValue], end: JSONValue) {
        var items: [JSONValue] = []
        do {
            for try await answer in host.call(description.name, call, with: .object(arguments)) {
                switch answer {
                case .item(let item): items.append(item)
                case .ok(let end): return (items, end)
                case .progress: continue
                }
            }
        } catch let error as PluginError {
            throw CatalogError(
                PluginCatalog.code(of: error), "\(description.name): \(error.message)",
                retryAfter: PluginCatalog.retryAfter(of: error))
        } catch {
            throw CatalogError(.unavailable, "\(description.name) gave no answer")
        }
        throw CatalogError(.cancelled, "nobody waits for it")
    }

    /// In how many seconds to ask again. A limit without a time is taken for one of a day on the web; a plugin can say
    /// so, and one that does not may soon be better.
    static func retryAfter(of error: PluginError) -> Int? {
        error.retryAfter.map { Int($0.rounded(.up)) } ?? (error.code == .limited ? 60 : nil)
    }

    private static func code(of error: PluginError) -> CatalogError.Code {
        switch error.code {
        case .unauthorized: .unauthorized
        case .limited: .limited
        case .notFound: .notFound
        case .refused, .unknownCall, .defect: .refused
        case .cancelled: .cancelled
        case .unavailable, .protocol, .settings, .internal: .unavailable
        }
    }

    /// An item as the protocol has it; nil where it has no key or no title.
    static func row(_ item: JSONValue, _ titleField: String) -> CatalogRow? {
        guard let members = item.members, let key = members["key"]?.text, !key.isEmpty,
            let title = members["title"]?.text, title.contains(where: { !$0.isWhitespace })
        else { return nil }
        var fields = (members["fields"]?.members ?? [:]).filter { $0.value != .null }
        fields[titleField] = .string(title)
        if let year = members["year"]?.whole { fields["year"] = .integer(year) }
        if let overview = members["overview"]?.text, !overview.isEmpty { fields["overview"] = .string(overview) }
        var images: [CatalogImage] = []
        if case .array(let entries)? = members["images"] {
            images = entries.compactMap { entry in
                guard let url = entry.text ?? entry.members?["url"]?.text, url.hasPrefix("https://") else { return nil }
                let kind = entry.members?["kind"]?.text.flatMap { CatalogImage.Kind(rawValue: $0) }
                return CatalogImage(kind ?? .poster, url: url)
            }
        }
        let ids = (members["ids"]?.members ?? [:]).compactMapValues { $0.text ?? $0.whole.map(String.init) }
        return CatalogRow(key: key, fields: fields, ids: ids.filter { !$0.value.isEmpty }, images: images)
    }
}

extension PluginHost {
    /// The catalogs that plugins are now, by name.
    ///
    /// - Parameter titleField: the field of a collection that names a record for people.
    package func catalogs(titleField: (CollectionID) -> String) -> [any Catalog] {
        plugins().compactMap { PluginCatalog($0, self, titleField: titleField) }
    }
}
