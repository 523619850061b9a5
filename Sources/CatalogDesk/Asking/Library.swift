internal import ControlAPI
internal import JSONText
internal import PluginKit
internal import SyncModel

/// Knows which items of catalogs are in the library, as it is now.
///
/// The index of a collection is made when it is first needed, and brought up to date from the change feed.
actor Library {
    private struct Known {
        var index = LibraryIndex()
        /// The last change that is in it.
        var sequence: Int64
    }

    private let service: any ControlService
    private var known: [CollectionID: Known] = [:]

    init(_ service: any ControlService) { self.service = service }

    /// The records that items are, in the order of `rows`; nil for each that is not in the library.
    func records(
        of rows: [CatalogRow], from catalog: String, in schema: CollectionSchema
    ) async throws -> [RecordID?] {
        let collection = CollectionID(stringLiteral: schema.name)
        try await refresh(collection, schema)
        guard let index = known[collection]?.index else { return rows.map { _ in nil } }
        return rows.map { row in
            let own = SourceID.record(collection, catalog, row.key)
            return index.record(of: row, savedAs: own, titleField: schema.titleField)
        }
    }

    private func refresh(_ collection: CollectionID, _ schema: CollectionSchema) async throws {
        do {
            while let sequence = known[collection]?.sequence {
                let page = try await service.changes(after: sequence, limit: ControlRoute.maxLimit)
                for change in page.items where change.collection == schema.name {
                    guard let id = RecordID(change.id) else { continue }
                    let fields = change.op == Change.Kind.delete.rawValue ? nil : change.fields
                    known[collection]?.index.put(id, fields, titleField: schema.titleField)
                }
                guard let last = page.items.last?.seq else { return }
                known[collection]?.sequence = last
                if page.next == nil { return }
            }
        } catch let error as ControlError where error.code == "gone" {
            known[collection] = nil
        }
        try await load(collection, schema)
    }

    /// Reads all records. Changes that come meanwhile are applied after that, once more where they were seen.
    private func load(_ collection: CollectionID, _ schema: CollectionSchema) async throws {
        var fresh = Known(sequence: service.status().lastChange)
        var after: String?
        repeat {
            let page = try await service.records(
                in: schema.name, after: after, limit: ControlRoute.maxLimit, filter: .all)
            for record in page.items {
                guard let id = RecordID(record.id), let fields = try? JSONReader.members(record.fields) else {
                    continue
                }
                fresh.index.put(id, fields, titleField: schema.titleField)
            }
            after = page.next
        } while after != nil
        known[collection] = fresh
    }
}
