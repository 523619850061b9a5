internal import SyncModel

/// What a batch of lines takes from one author and gives to another, so that nothing is gone: what was kept while nobody had
/// signed in becomes somebody's, however much it is.
struct Handovers {
    /// What the lines write of each collection: the keys, but for whose they are, and the authors.
    private var written: [CollectionID: [String: Set<String>]] = [:]

    /// Whether an author deletes what the same lines write for another one.
    mutating func include<Book: RecordBook>(
        _ delete: Operation, among lines: [JournalMachine.Line], in book: Book, _ applier: OperationApplier
    ) throws -> Bool {
        let collection = delete.key.collection
        guard let person = delete.person, let key = applier.rules(collection)?.key, key.hasAuthor,
            let place = try book.record(delete.key).state.remoteKey, let fields = key.fields(of: place),
            let (author, rest) = Handovers.parts(fields, key), author == person
        else { return false }
        if written[collection] == nil { written[collection] = Handovers.written(by: lines, collection, key) }
        return written[collection]?[rest]?.contains { $0 != author } ?? false
    }

    private static func written(
        by lines: [JournalMachine.Line], _ collection: CollectionID, _ key: KeyTemplate
    ) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for line in lines where line.collection == collection {
            guard case .success(let operation) = line.operation, operation.kind != .delete,
                let (author, rest) = parts(operation.fields, key)
            else { continue }
            found[rest, default: []].insert(author)
        }
        return found
    }

    /// The author, and the key as it would be if that were nobody; nil where these fields make none.
    private static func parts(_ fields: [String: JSONValue], _ key: KeyTemplate) -> (String, String)? {
        guard let author = fields[KeyTemplate.author]?.text else { return nil }
        let others = fields.merging([KeyTemplate.author: .string(KeyTemplate.nobody)]) { $1 }
        return (try? key.key(of: others)).map { (author, $0) }
    }
}
