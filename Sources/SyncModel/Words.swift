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
        /// A node of the remote can't be a record of its collection.
        public static let unreadableRecord = Code("unreadableRecord")
        /// The remote refused the record, and said why.
        public static let refused = Code("refused")
    }

    public var code: Code
    /// One line: what is wrong, with the value that was wrong.
    public var message: String

    /// - Parameter message: may quote anything: line ends and other control characters in it become spaces.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = Defect.oneLine(message)
    }

    private static func oneLine(_ text: String) -> String {
        func breaks(_ scalar: Unicode.Scalar) -> Bool {
            [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        guard text.unicodeScalars.contains(where: breaks) else { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { line.append(breaks(scalar) ? " " : scalar) }
        return String(line)
    }

    public var description: String { "\(code.word): \(message)" }
}

/// Why the daemon refuses to do something until a person approves or rejects it (section 10 of the protocol).
public enum HoldKind: String, Hashable, Sendable, CaseIterable {
    /// More than max(5, 25 %) of a collection would be deleted at once.
    case massDelete
    /// A snapshot is empty while the base knows records.
    case emptyRemote
    /// An operation is from further in the future than `clock.maxAhead`.
    case futureEdit
    /// The part of the journal that was already read has been rewritten in place.
    case journalRewritten
}

/// Which way a hold, a pause or a change points.
public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// From this node to the remote; of a hold: from the journal.
    case push
    /// From the remote to this node.
    case pull
    /// Of a hold only: from the journal to this node.
    case journal
}

/// One entry of the change feed: a change that took effect here, whichever side it came from.
public struct Change: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case create, update, delete }
    public enum Origin: String, Hashable, Sendable { case journal, remote, decision }

    /// Rises by exactly 1 from entry to entry.
    public var sequence: Int64
    public var kind: Kind
    public var origin: Origin
    public var key: RecordKey
    public var version: Version
    /// When it took effect here, in milliseconds since 1970.
    public var at: UInt64

    public init(sequence: Int64, kind: Kind, origin: Origin, key: RecordKey, version: Version, at: UInt64) {
        self.sequence = sequence
        self.kind = kind
        self.origin = origin
        self.key = key
        self.version = version
        self.at = at
    }
}
