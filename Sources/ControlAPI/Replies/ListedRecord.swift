internal import JSONText

/// One record of a list: what a ``RecordReply`` says of it, with its fields as the JSON text that they are kept as.
///
/// A list may have a million of them, so that no values are made of their text only to be written again.
package struct ListedRecord: Hashable, Sendable {
    package var collection: String
    /// The UUID, upper case.
    package var id: String
    /// A JSON object.
    package var fields: [UInt8]
    package var stamp: String
    package var deleted: Bool
    package var pending: Bool
    /// Why it is pending or held, in one line for people.
    package var reason: String?
    package var base: RecordReply.Base?

    package init(
        collection: String, id: String, fields: [UInt8], stamp: String, deleted: Bool = false, pending: Bool = false,
        reason: String? = nil, base: RecordReply.Base? = nil
    ) {
        self.collection = collection
        self.id = id
        self.fields = fields
        self.stamp = stamp
        self.deleted = deleted
        self.pending = pending
        self.reason = reason
        self.base = base
    }

    package init(_ reply: RecordReply) {
        self.init(
            collection: reply.collection, id: reply.id, fields: JSONWriter.text(reply.fields), stamp: reply.stamp,
            deleted: reply.deleted, pending: reply.pending, reason: reply.reason, base: reply.base)
    }

    /// Appends the JSON that ``ControlJSON`` has for the same ``RecordReply``.
    func append(to out: inout [UInt8]) {
        if let base {
            out.append(contentsOf: #"{"base":{"etag":"#.utf8)
            append(base.etag, to: &out)
            out.append(contentsOf: #","stamp":"#.utf8)
            append(base.stamp, to: &out)
            out.append(contentsOf: #"},"collection":"#.utf8)
        } else {
            out.append(contentsOf: #"{"base":null,"collection":"#.utf8)
        }
        JSONWriter.append(collection, to: &out)
        out.append(contentsOf: (deleted ? #","deleted":true,"fields":"# : #","deleted":false,"fields":"#).utf8)
        out.append(contentsOf: fields)
        out.append(contentsOf: #","id":"#.utf8)
        JSONWriter.append(id, to: &out)
        out.append(contentsOf: (pending ? #","pending":true,"reason":"# : #","pending":false,"reason":"#).utf8)
        append(reason, to: &out)
        out.append(contentsOf: #","stamp":"#.utf8)
        JSONWriter.append(stamp, to: &out)
        out.append(UInt8(ascii: "}"))
    }

    private func append(_ text: String?, to out: inout [UInt8]) {
        if let text { JSONWriter.append(text, to: &out) } else { out.append(contentsOf: "null".utf8) }
    }
}

/// One page of a list of records.
package struct RecordPage: Hashable, Sendable {
    package var items: [ListedRecord]
    /// What to give as `after` for the next page; nil at the end.
    package var next: String?

    package init(items: [ListedRecord], next: String? = nil) {
        self.items = items
        self.next = next
    }

    /// The JSON that ``ControlJSON`` has for a ``Page`` of the same records, without a line end.
    package var text: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(items.reduce(64) { $0 + $1.fields.count + 256 })
        out.append(contentsOf: #"{"items":["#.utf8)
        for (index, record) in items.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            record.append(to: &out)
        }
        out.append(contentsOf: #"],"next":"#.utf8)
        if let next { JSONWriter.append(next, to: &out) } else { out.append(contentsOf: "null".utf8) }
        out.append(UInt8(ascii: "}"))
        return out
    }
}
