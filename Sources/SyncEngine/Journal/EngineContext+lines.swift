internal import JSONText
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// What the log says of lines of the journal.
extension EngineContext {
    /// Tells what became of lines that were read together.
    func log(_ rejected: [QuarantinedItem], andKeysIgnoredIn lines: [JournalMachine.Line], of file: String) {
        for item in rejected { log(item) }
        log(keysIgnoredIn: lines, of: file)
    }

    private func log(_ item: QuarantinedItem) {
        logger.warning(
            "A journal line was rejected",
            metadata: [
                "event": "journal.line.rejected", "file": "\(item.file ?? "")", "offset": "\(item.offset ?? 0)",
                "length": "\(item.length ?? 0)", "code": "\(item.defect.code)", "reason": "\(item.defect.message)",
                "record": "\(item.record ?? "")",
            ])
    }

    /// Tells of keys that mean nothing: one line for all of the same kind that were read together.
    private func log(keysIgnoredIn lines: [JournalMachine.Line], of file: String) {
        var found: [String: (offset: UInt64, count: Int)] = [:]
        for line in lines {
            guard case .success(let operation) = line.operation else { continue }
            for key in operation.ignoredKeys { found[key, default: (line.offset, 0)].count += 1 }
        }
        for (key, place) in found.sorted(by: { $0.key < $1.key }) {
            let reason =
                key == "fields"
                ? "a delete has no fields"
                : "no line has a key \"\(key.prefix(60))\"" + NearestName.hint(for: key, among: Operation.lineKeys)
            logger.warning(
                "A key of a journal line means nothing",
                metadata: [
                    "event": "journal.key.ignored", "file": "\(file)", "offset": "\(place.offset)",
                    "count": "\(place.count)", "reason": "\(reason.oneLine)",
                ])
        }
    }
}
