internal import ControlAPI
internal import JSONText
internal import SyncModel

/// Knows the order of the films of the library, as it is now: a page of them is found without reading all.
///
/// The order is made when it is first needed, brought up to date from the change feed, and forgotten where nobody has
/// looked for a while.
actor Shelf {
    private let service: any ControlService
    private let schema: CollectionSchema
    private var list = ShelfList()
    /// The last change that is in ``list``; nil where there is none.
    private var sequence: Int64?
    private var wasUsed = false
    /// The refresh that began last; the next one waits for it.
    private var work: Task<Void, any Error>?
    private var waiting = 0

    init(_ service: any ControlService, _ schema: CollectionSchema) {
        self.service = service
        self.schema = schema
    }

    /// The films as they are now.
    func films() async throws -> ShelfList {
        wasUsed = true
        waiting += 1
        defer { waiting -= 1 }
        let before = work
        let own = Task {
            _ = await before?.result
            try await refresh()
        }
        work = own
        try await own.value
        return list
    }

    /// Forgets all where nobody has asked since the last call.
    func rest() {
        if !wasUsed, waiting == 0 { (list, sequence) = (ShelfList(), nil) }
        wasUsed = false
    }

    private func refresh() async throws {
        do {
            while let known = sequence {
                let page = try await service.changes(after: known, limit: ControlRoute.maxLimit)
                list.put(page.items.filter { $0.collection == schema.name }.compactMap(entry))
                guard let last = page.items.last?.seq else { return }
                sequence = last
                if page.next == nil { return }
            }
        } catch let error as ControlError where error.code == "gone" {
            sequence = nil
        }
        try await load()
    }

    /// Reads all films. Changes that come meanwhile are applied after that, once more where they were seen.
    private func load() async throws {
        let sequence = service.status().lastChange
        var films: [(RecordID, ShelfList.Entry?)] = []
        var after: String?
        repeat {
            let page = try await service.records(
                in: schema.name, after: after, limit: ControlRoute.maxLimit, filter: .all)
            films += page.items.compactMap { record in
                guard let id = RecordID(record.id), let fields = try? JSONReader.members(record.fields) else {
                    return nil
                }
                return (id, entry(fields))
            }
            after = page.next
        } while after != nil
        list = ShelfList(films)
        self.sequence = sequence
    }

    private func entry(_ change: ChangeReply) -> (RecordID, ShelfList.Entry?)? {
        guard let id = RecordID(change.id) else { return nil }
        return (id, change.op == Change.Kind.delete.rawValue ? nil : entry(change.fields))
    }

    private func entry(_ fields: [String: JSONValue]) -> ShelfList.Entry {
        ShelfList.Entry(
            title: (fields[schema.titleField]?.text ?? "").folded, isWatched: fields["hasWatched"]?.truth ?? false)
    }
}
