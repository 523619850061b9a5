internal import ControlAPI
internal import FoundationEssentials
internal import Logging
internal import OperatingSystem
internal import Synchronization

/// Knows who may see the page: hands out links, takes cookies, and keeps both as hashes alone.
final class Doorkeeper: Sendable {
    /// What a link has led to.
    enum Entry: Hashable, Sendable {
        case signedIn(cookie: String)
        case used, tooOld
    }

    private struct Books {
        var links = LinkBook()
        var sessions = SessionBook()
        /// Where the sessions are kept, so that a restart of the daemon signs nobody out.
        var file: KeptFile
    }

    private let books: Mutex<Books>
    private let wall: @Sendable () -> UInt64
    private let logger: Logger

    /// Reads the sessions that are kept; a file that can't be read is named in the log, and is as none.
    init(path: String, wall: @escaping @Sendable () -> UInt64, logger: Logger) {
        self.wall = wall
        self.logger = logger
        var books = Books(file: KeptFile(path: path))
        if Folder.resolved(path) != nil {
            do {
                books.sessions = try ControlJSON.read(SessionBook.self, from: Data(try SecretFile.read(at: path)))
            } catch {
                logger.warning(
                    "Sessions of browsers can't be read: they have to sign in again",
                    metadata: [
                        "event": "web.sessions.failed", "path": "\(path)",
                        "error": "\(error is DecodingError ? "it is damaged" : "\(error)")",
                    ])
            }
        }
        self.books = Mutex(books)
    }

    /// Writes again what could not be kept.
    func keep() {
        books.withLock { books in
            if books.file.unsaved != nil { save(&books) }
        }
    }

    /// A secret that signs one browser in, and until when.
    func makeLink() -> (secret: String, expires: UInt64) {
        let secret = Secret.make()
        return (secret, books.withLock { $0.links.add(secret, now: wall()) })
    }

    /// Uses a link up.
    func enter(_ secret: String) -> Entry {
        let now = wall()
        return books.withLock { books in
            switch books.links.use(secret, now: now) {
            case .used: return .used
            case .tooOld: return .tooOld
            case .good:
                let cookie = Secret.make()
                books.sessions.add(cookie, now: now)
                save(&books)
                return .signedIn(cookie: cookie)
            }
        }
    }

    /// The session of a browser; nil where it is not signed in.
    func session(_ cookie: String) -> SessionBook.Session? {
        books.withLock { $0.sessions.session(cookie, now: wall()) }
    }

    /// Changes what is known of the browsers, durably.
    func change(_ body: (inout SessionBook) -> Void) {
        books.withLock { books in
            body(&books.sessions)
            save(&books)
        }
    }

    /// A disk that is full keeps nobody signed in, or out, for longer than the daemon runs, and stops nothing else; what is not
    /// kept is written again when a browser comes next, or the page closes.
    private func save(_ books: inout Books) {
        let sessions = books.sessions
        guard let reason = books.file.save({ Array(try ControlJSON.text(sessions)) }) else { return }
        logger.warning(
            "Sessions of browsers can't be kept",
            metadata: ["event": "web.sessions.failed", "path": "\(books.file.path)", "error": "\(reason)"])
    }
}
