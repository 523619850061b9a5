internal import ControlAPI
internal import JSONText
internal import SyncModel

/// One page of a list of records, as the daemon has written it.
struct RecordPageText: Sendable {
    private let text: [UInt8]
    /// Where the list of records stands, brackets included.
    private let list: Range<Int>
    /// What to ask for after this page; nil at the end.
    let next: String?

    /// Nil for what is no page.
    init?(_ text: [UInt8]) {
        let members = try? text.withUnsafeBytes { bytes in
            bytes.first == UInt8(ascii: "{") ? try JSONScanner.members(at: 0..<bytes.count, in: bytes) : nil
        }
        guard let list = members?.last(where: { $0.key == Array("items".utf8) })?.value,
            text[list.lowerBound] == UInt8(ascii: "[")
        else { return nil }
        let next = members?.last { $0.key == Array("next".utf8) }
        self.text = text
        self.list = list
        self.next = next.flatMap { try? JSONReader.value(text[$0.value]).text }
    }

    /// The JSON of the records, with commas between them.
    var records: ArraySlice<UInt8> { text[list].dropFirst().dropLast() }

    /// The values of the records; nil where one lacks what every record has.
    func values() -> [RecordReply]? {
        let values = try? text[list].withUnsafeBufferPointer { list throws(JSONSyntaxError) in
            try JSONReader.read(list) { RecordPageText.records(&$0) }
        }
        return values ?? nil
    }

    private static func records(_ tokens: inout JSONTokens) -> [RecordReply]? {
        guard case .array(let count) = tokens.next() else { return nil }
        var records: [RecordReply] = []
        records.reserveCapacity(count)
        for _ in 0..<count {
            guard let record = RecordReply(&tokens) else { return nil }
            records.append(record)
        }
        return records
    }
}

extension RecordReply {
    /// Reads the next value; keys that are unknown are passed over. Nil where it is no record.
    fileprivate init?(_ tokens: inout JSONTokens) {
        guard case .object(let count) = tokens.next() else { return nil }
        var (collection, id, stamp, reason): (String?, String?, String?, String?)
        var (deleted, pending): (Bool?, Bool?)
        var (fields, base): ([String: JSONValue]?, [String: JSONValue]?)
        for _ in 0..<count {
            let key = tokens.key()
            let value = tokens.value()
            switch key {
            case "collection": collection = value.text
            case "id": id = value.text
            case "fields": fields = value.members
            case "stamp": stamp = value.text
            case "deleted": deleted = value.truth
            case "pending": pending = value.truth
            case "reason": reason = value.text
            case "base": base = value.members
            default: continue
            }
        }
        guard let collection, let id, let fields, let stamp, let deleted, let pending else { return nil }
        self.init(
            collection: collection, id: id, fields: fields, stamp: stamp, deleted: deleted, pending: pending,
            reason: reason, base: base.map { Base(stamp: $0["stamp"]?.text, etag: $0["etag"]?.text) })
    }
}
