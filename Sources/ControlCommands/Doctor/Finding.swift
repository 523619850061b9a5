internal import ControlAPI

/// What one look of the doctor has found.
struct Finding: Codable, Hashable, Sendable {
    enum Level: String, Codable, Sendable {
        case ok, warning, error
        /// It could not be looked at.
        case unknown
    }

    /// What was looked at, a stable word.
    var check: String
    var level: Level
    /// One line for people.
    var message: String
    /// What to do; null where nothing is wrong.
    @Nullable var fix: String?

    init(_ check: String, _ level: Level, _ message: String, fix: String? = nil) {
        self.check = check
        self.level = level
        self.message = message
        self.fix = fix
    }

    static func ok(_ check: String, _ message: String) -> Finding { Finding(check, .ok, message) }
}
