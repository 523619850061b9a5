internal import SyncModel

/// A record's id, or the beginning of one, upper case.
struct RecordPrefix: Hashable, Sendable {
    let text: String

    /// - Throws: a failure with the text, where no id begins like that.
    init(_ text: String) throws(CommandFailure) {
        let upper = text.uppercased()
        let scalars = upper.unicodeScalars
        let plain = scalars.allSatisfy { ("0"..."9").contains($0) || ("A"..."F").contains($0) || $0 == "-" }
        guard plain, (1...36).contains(scalars.count), scalars.count < 36 || RecordID(upper) != nil else {
            throw CommandFailure(.usage, "'\(text)' is not an id; 'moviesync list' shows the ids")
        }
        self.text = upper
    }

    init(of id: RecordID) { text = id.description }

    var isWhole: Bool { text.utf8.count == 36 }
}
