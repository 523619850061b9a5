/// What a remote says of how it is set up: one thing that was looked at.
public struct RemoteCheck: Hashable, Sendable {
    public enum Level: String, Hashable, Sendable {
        case ok, warning, error
        /// It could not be looked at.
        case unknown
    }

    /// A stable word.
    public var check: String
    public var level: Level
    /// One line for people.
    public var message: String
    /// What to do; nil where nothing is wrong.
    public var fix: String?

    public init(_ check: String, _ level: Level, _ message: String, fix: String? = nil) {
        self.check = check
        self.level = level
        self.message = message
        self.fix = fix
    }
}
