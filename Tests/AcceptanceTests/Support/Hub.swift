import FoundationEssentials
import Glibc
import JSONText
import SyncModel
import Synchronization
import SystemPackage
import TestSupport

/// `moviesyncd serve-firebase` with data of its own; may be killed and started again at the same address.
final class Hub: Sendable {
    private let site: Site
    private let name: String
    private let data: FilePath
    private let rules: FilePath?
    private let flags: [String]
    private let address = Mutex<(url: String, program: RunningProgram?)>(("", nil))

    init(_ site: Site, name: String, rules: FilePath?, flags: [String]) {
        self.site = site
        self.name = name
        self.rules = rules
        self.flags = flags
        data = site.folder.appending("\(name)-data")
    }

    /// Like `http://127.0.0.1:41234`.
    var url: String { address.withLock { $0.url } }

    var port: Int { url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    var program: RunningProgram? { address.withLock { $0.program } }

    /// Starts it, at the address it had before if it had one.
    func start() async throws {
        let place =
            try url.isEmpty ? "127.0.0.1:\(LastingPort.free())" : String(url.drop { $0 != "/" }.dropFirst(2))
        let more = rules.map { ["--rules", $0.string] } ?? []
        let program = try await site.start(
            .moviesyncd, ["serve-firebase", "--listen", place, "--data", data.string] + more + flags, name: name)
        let url: String = try await until("the address of the hub", hearing: [program.bell]) {
            if let line = program.output.first, line.hasPrefix("listening on ") {
                return String(line.dropFirst("listening on ".count))
            }
            if let ending = program.ending { throw TooLate("the hub ended: \(ending)\n\(program.lastLines())") }
            return nil
        }
        address.withLock { $0 = (url, program) }
    }

    func kill() async throws { try await program?.kill() }

    func stop() async throws {
        program?.send(SIGTERM)
        _ = try await program?.ended()
    }

    /// Who looks at a hub with rules is its owner.
    private var owner: [String: String] { rules != nil ? ["Authorization": "Bearer owner"] : [:] }

    /// Writes as somebody the rules apply to; `token` is nil for nobody.
    func attempt(_ method: String, _ path: String, _ body: String?, by token: String?) async throws -> Answer {
        try await site.ask(method, "\(url)\(path).json" + (token.map { "?auth=\($0)" } ?? ""), body: body)
    }

    /// Replaces the security rules.
    func replaceRules(_ text: String) async throws {
        try await write("PUT", "/.settings/rules", text)
    }

    /// What stands at `path` (like `/movies`).
    func tree(_ path: String) async throws -> JSONValue {
        let answer = try await site.ask("GET", "\(url)\(path).json", headers: owner)
        guard answer.status == 200 else { throw TooLate("GET \(path): \(answer.status) \(answer.text)") }
        return try answer.json
    }

    /// Writes as an app does; `body` is JSON.
    @discardableResult
    func write(_ method: String, _ path: String, _ body: String? = nil) async throws -> Answer {
        let answer = try await site.ask(method, "\(url)\(path).json", body: body, headers: owner)
        guard answer.status < 300 else {
            throw TooLate("\(method) \(path): \(answer.status) \(answer.text)")
        }
        return answer
    }

    /// Changes an account as its administrator; `body` is JSON.
    func account(_ method: String, _ body: String) async throws {
        let answer = try await site.ask(
            "POST", "\(url)/identitytoolkit.googleapis.com/v1/projects/moviesync/accounts:\(method)", body: body,
            headers: ["Authorization": "Bearer owner", "Content-Type": "application/json"])
        guard answer.status == 200 else { throw TooLate("accounts:\(method): \(answer.status) \(answer.text)") }
    }

    /// The records of a collection without what apps do not show: fields by key.
    func records(_ base: String = "/movies") async throws -> [String: [String: JSONValue]] {
        try await tree(base).members?.compactMapValues { value in
            value.members?.filter { !["_v", "_t", "_f", "_b", "identifier"].contains($0.key) }
        } ?? [:]
    }
}

extension Hub {
    /// Waits until the records of a collection are as wanted; heard of on its event stream.
    func untilRecords(
        _ what: String, _ condition: @escaping @Sendable ([String: [String: JSONValue]]) -> Bool
    ) async throws {
        try await until("the hub: \(what)", hearing: [], [hear("/movies")]) {
            condition(try await self.records()) ? () : nil
        }
    }

    /// What happens at `path`, for those who wait for it.
    func hear(_ path: String) -> @Sendable (Bell) async throws -> Void {
        { bell in try await self.site.hear("\(self.url)\(path).json", headers: self.owner, bell) }
    }
}

extension Site {
    /// An ID token without a signature, good for an hour.
    static func unsignedToken(of user: String) -> String {
        func part(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
        let now = Int(Date().timeIntervalSince1970)
        let claims = """
            {"iss":"https://securetoken.google.com/moviesync","aud":"moviesync","sub":"\(user)","user_id":"\(user)",\
            "iat":\(now),"exp":\(now + 3600)}
            """
        return part(#"{"alg":"none","typ":"JWT"}"#) + "." + part(claims) + "."
    }

    /// A running hub; `flags` come after its own.
    func hub(
        _ name: String = "hub", rules: FilePath? = nil, flags: [String] = []
    ) async throws -> Hub {
        let hub = Hub(self, name: name, rules: rules, flags: flags)
        try await hub.start()
        return hub
    }
}
