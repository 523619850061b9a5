internal import ControlAPI
internal import JSONText
internal import SyncModel

/// One item of the quarantine, with all that is known of it.
struct QuarantineDetailAnswer: Answer {
    var reply: QuarantineDetailReply
    var now: Moment

    func text(_ style: Style) -> String {
        let item = reply.item
        var rows: [(String, String)] = [
            ("item", "\(item.id)"), ("code", item.code), ("reason", item.reason), ("source", item.source.rawValue),
            ("since", "\(item.since) (\(Formatted.ago(item.since, now: now)))"), ("attempts", "\(item.attempts)"),
        ]
        if let file = item.file, let offset = item.offset {
            rows.append(("stands in", "\(file) at byte \(offset), \(Formatted.bytes(UInt64(item.length ?? 0)))"))
        }
        let record = [item.collection, item.record].compactMap { $0 }.joined(separator: "/")
        if !record.isEmpty { rows.append(("record", record)) }
        if let stamp = reply.stamp { rows.append(("stamp", stamp)) }
        if let here = reply.here { rows.append(("here", here.deleted ? "deleted" : shown(here.fields))) }
        if let remote = reply.remote { rows.append(("remote", remote.fields.map(shown) ?? remote.reason ?? "")) }
        if let line = reply.line {
            rows.append(("line", reply.isWhole ? line : "\(line)… (only its beginning is kept)"))
        }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            style.paint(name, .strong) + String(repeating: " ", count: width - name.count + 2) + Printable.text(value)
        }
        .joined(separator: "\n")
    }

    private func shown(_ fields: [String: JSONValue]) -> String { JSONWriter.string(.object(fields)) }
}
