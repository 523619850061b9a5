internal import JSONText
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// What the log says of lines of the journal.
extension EngineContext {
    /// Tells what became of lines that were read together.
    func log(_ rejected: [QuarantinedItem], and ignored: IgnoredKeys, of file: String) {
        for item in rejected { log(item) }
        log(ignored, of: file)
    }

    private func log(_ item: QuarantinedItem) {
        var metadata: Logger.Metadata = [
            "event": "journal.line.rejected", "file": "\(item.file ?? "")", "offset": "\(item.offset ?? 0)",
            "length": "\(item.length ?? 0)", "code": "\(item.defect.code)", "reason": "\(item.defect.message)",
        ]
        metadata["record"] = item.record.map { "\($0)" }
        logger.warning("A journal line was rejected", metadata: metadata)
    }

    /// Tells of keys that mean nothing: one line for all of the same kind that were read together.
    private func log(_ ignored: IgnoredKeys, of file: String) {
        for (key, place) in ignored.places.sorted(by: { $0.key < $1.key }) {
            let reason: String
            if key == "fields" {
                reason = "a delete has no fields"
            } else if key.hasPrefix(Operation.ignoredField) {
                reason = "\"\(key.dropFirst(Operation.ignoredField.count))\" is made of the id, and stays as it is"
            } else {
                reason =
                    "no line has a key \"\(key.prefix(60))\"" + NearestName.hint(for: key, among: Operation.lineKeys)
            }
            logger.warning(
                "A key of a journal line means nothing",
                metadata: [
                    "event": "journal.key.ignored", "file": "\(file)", "offset": "\(place.offset)",
                    "count": "\(place.count)", "reason": "\(reason.oneLine)",
                ])
        }
    }
}

/// The keys of lines that mean nothing there: where each was found first, and how many times.
struct IgnoredKeys: Sendable {
    private(set) var places: [String: (offset: UInt64, count: Int)] = [:]

    init(in lines: [JournalMachine.Line]) {
        for line in lines {
            for key in line.ignoredKeys { places[key, default: (line.offset, 0)].count += 1 }
        }
    }
}
