/// Why a single item can't be processed: a stable word for programs, a message for people.
///
/// The word stands in logs, in the quarantine and on the control socket; words are only ever added.
public struct Defect: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let word: String
        public init(_ word: String) { self.word = word }
        public var description: String { word }

        /// The line is longer than 1 MiB.
        public static let lineTooLong = Code("lineTooLong")
        /// The bytes are not UTF-8.
        public static let invalidUTF8 = Code("invalidUTF8")
        /// The text is not JSON, or not a JSON object.
        public static let invalidJSON = Code("invalidJSON")
        /// A key that must be there is missing.
        public static let missingKey = Code("missingKey")
        /// A value has the wrong type or an impossible value.
        public static let invalidValue = Code("invalidValue")
        /// `op` is none of create, update, delete.
        public static let unknownOperation = Code("unknownOperation")
        /// The collection is not known, or not enabled.
        public static let unknownCollection = Code("unknownCollection")
        /// An update of a record that is not there; tried again after the next complete pull.
        public static let unknownRecord = Code("unknownRecord")
        /// A remote record's stamp is further in the future than `clock.maxAhead`.
        public static let futureStamp = Code("futureStamp")
        /// An entry of the remote can't be a record of its collection.
        public static let unreadableRecord = Code("unreadableRecord")
        /// The remote refused the record, and said why.
        public static let refused = Code("refused")
        /// A check did not let the line through.
        public static let refusedByCheck = Code("refusedByCheck")
        /// A line of one person about what is another's.
        public static let notYours = Code("notYours")
        /// Stands for items that are too many to be listed.
        public static let more = Code("more")
    }

    public var code: Code
    /// One line: what is wrong, with the value that was wrong.
    public var message: String

    package init(notEnabled collection: CollectionID) {
        self.init(.unknownCollection, "there is no enabled collection \"\(collection)\"")
    }

    /// - Parameter message: may quote anything, see ``Swift/String/oneLine``.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.oneLine
    }

    public var description: String { "\(code.word): \(message)" }
}
