internal import DatabaseTree
internal import FoundationEssentials
internal import SecurityRules
internal import Synchronization

/// The rules of all databases: their own, or those of the file the server was started with, or none.
final class RulesStore: Sendable {
    /// What a database without rules answers when it is asked for them.
    static let open = Array(#"{"rules":{".read":true,".write":true}}"#.utf8)

    private let own: Mutex<[String: Ruleset]>
    private let versions = Mutex<[String: Int]>([:])
    private let limits: Mutex<[String: WriteSizeLimit]>
    private let strictTriggers: Mutex<[String: Bool]>
    private let common: Ruleset?
    private let file: RowFile

    /// - Parameter path: a file of rules for the databases without rules of their own.
    ///
    /// Throws `invalidRules` with line and column, or `corrupt`.
    init(file: RowFile, path: String?) throws {
        self.file = file
        var own: [String: Ruleset] = [:]
        for (database, text) in try file.rules() {
            own[database] = try RulesStore.read(text, "\(file.path), the rules of database \"\(database)\"")
        }
        self.own = Mutex(own)
        limits = Mutex(try file.writeSizeLimits().compactMapValues { WriteSizeLimit(rawValue: $0) })
        strictTriggers = Mutex(try file.strictTriggers())
        common = try path.map(RulesStore.read)
    }

    /// The rules of a file. Throws `invalidRules` with line and column.
    static func read(at path: String) throws -> Ruleset {
        guard let text = try? Data(contentsOf: URL(filePath: path)) else {
            throw ServerError(.invalidRules, "\(path) can't be read: check the name and its rights")
        }
        return try RulesStore.read(Array(text), path)
    }

    private static func read(_ text: [UInt8], _ place: String) throws -> Ruleset {
        do {
            return try Ruleset(text)
        } catch {
            throw ServerError(
                .invalidRules, "\(place):\(error.line):\(error.column): \(error.message)", underlying: error
            )
        }
    }

    /// The rules of `database`; nil where everything is allowed.
    func rules(_ database: String) -> Ruleset? { own.withLock { $0[database] } ?? common }

    /// The limit of writes that have none of their own.
    func writeSizeLimit(_ database: String) -> WriteSizeLimit { ownWriteSizeLimit(database) ?? .large }

    /// The limit that somebody has set; nil where nobody has.
    func ownWriteSizeLimit(_ database: String) -> WriteSizeLimit? { limits.withLock { $0[database] } }

    /// Whether writes that trigger too much are to be refused, as everywhere where nobody has said otherwise.
    func hasStrictTriggers(_ database: String) -> Bool { strictTriggers.withLock { $0[database] } ?? true }

    /// Changes with the rules.
    func version(_ database: String) -> Int { versions.withLock { $0[database] } ?? 0 }

    /// Replaces the limit; it is on the disk when this returns. Throws a ``StorageError``.
    func setWriteSizeLimit(_ limit: WriteSizeLimit, of database: String) throws {
        try limits.withLock { limits in
            try RulesStore.storing("limit") { try file.store(writeSizeLimit: limit.rawValue, of: database) }
            limits[database] = limit
        }
    }

    /// The same for ``hasStrictTriggers(_:)``.
    func setStrictTriggers(_ isStrict: Bool, of database: String) throws {
        try strictTriggers.withLock { strictTriggers in
            try RulesStore.storing("setting") { try file.store(strictTriggers: isStrict, of: database) }
            strictTriggers[database] = isStrict
        }
    }

    private static func storing(_ what: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw StorageError(message: "The server could not store the \(what): \(CommitTrouble.reason(of: error))")
        }
    }

    /// Throws a refusal with line and column where `text` is not rules.
    static func check(_ text: [UInt8]) throws { _ = try parsed(text) }

    private static func parsed(_ text: [UInt8]) throws -> Ruleset {
        do {
            return try Ruleset(text)
        } catch {
            throw Refusal.badRequest("\(error)")
        }
    }

    /// Replaces the rules of `database`; they are on the disk when this returns. Throws a refusal with line and
    /// column, or a ``StorageError``.
    func replace(_ text: [UInt8], of database: String) throws {
        let rules = try RulesStore.parsed(text)
        try own.withLock { own in
            try RulesStore.storing("rules") { try file.store(rules: text, of: database) }
            own[database] = rules
            versions.withLock { $0[database, default: 0] += 1 }
        }
    }
}
