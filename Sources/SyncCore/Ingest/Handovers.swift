internal import SyncModel

/// What a batch of lines takes from one author and gives to another, so that nothing is gone: what was kept while nobody had
/// signed in becomes somebody's, however much it is.
struct Handovers {
    /// What the lines write of each collection: the other parts of the keys, and the authors.
    private var written: [CollectionID: [[String]: Set<String>]] = [:]

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
    ) -> [[String]: Set<String>] {
        var found: [[String]: Set<String>] = [:]
        for line in lines where line.collection == collection {
            guard case .success(let operation) = line.operation, operation.kind != .delete,
                let (author, rest) = parts(operation.fields, key)
            else { continue }
            found[rest, default: []].insert(author)
        }
        return found
    }

    /// The author, and what else the key is made of; nil where a part is missing.
    private static func parts(_ fields: [String: JSONValue], _ key: KeyTemplate) -> (String, [String])? {
        var author: String?
        var rest: [String] = []
        for part in key.parts {
            guard let text = fields[part.name].flatMap({ $0.text ?? $0.whole.map { "\($0)" } }) else { return nil }
            if part.name == KeyTemplate.author { author = text } else { rest.append(text) }
        }
        return author.map { ($0, rest) }
    }
}
