import ControlAPI
import FoundationEssentials
import Glibc
import SyncModel
import Synchronization
import SystemPackage
import TestSupport

/// What a node's configuration says beyond its paths.
struct NodeSettings: Sendable {
    var pull = "full"
    var base = "movies"
    var meta = "moviesync"
    var collections = "movies"
    /// More lines below `remote:`, indented.
    var remote = ""
    /// Lines at the top level.
    var more = ""

    init() {}
}

/// One daemon with a folder of its own; may be stopped, killed and started again.
final class Node: Sendable {
    let site: Site
    let name: String
    let folder: FilePath
    let journal: FilePath
    let state: FilePath
    let config: FilePath
    let socket: FilePath
    private let current = Mutex<RunningProgram?>(nil)

    init(_ site: Site, name: String) throws {
        self.site = site
        self.name = name
        folder = site.folder.appending(name)
        journal = folder.appending("spool").appending("journal.jsonl")
        state = folder.appending("state")
        config = folder.appending("moviesync.yaml")
        socket = folder.appending("control.sock")
        try FileManager.default.createDirectory(
            atPath: folder.appending("spool").string, withIntermediateDirectories: true)
    }

    var socketPath: String { socket.string }

    /// The process that runs, or ran last.
    var program: RunningProgram? { current.withLock { $0 } }

    /// Writes the configuration.
    func configure(remote url: String, _ settings: NodeSettings = NodeSettings()) throws {
        let text = """
            state: "\(state)"
            journal: "\(journal)"
            socket: "\(socket)"
            collections:
              enabled: [\(settings.collections)]
              movies:
                base: "\(settings.base)"
                pull: \(settings.pull)
            remote:
              plugin: firebase
              url: "\(url)"
              meta: \(settings.meta)
            \(settings.remote)
            log:
              format: json
              level: debug
            \(settings.more)
            """
        try Data(text.utf8).write(to: URL(filePath: config.string))
    }

    /// Starts the daemon and does not wait for anything.
    @discardableResult
    func launch(
        _ daemon: BuiltProgram = .moviesyncd, environment: [String: String] = [:]
    ) async throws -> RunningProgram {
        let program = try await site.start(
            daemon, ["run", "--config", config.string], name: name, environment: environment, in: folder)
        current.withLock { $0 = program }
        return program
    }

    /// Starts the daemon and waits until its control socket answers.
    func start(_ daemon: BuiltProgram = .moviesyncd, environment: [String: String] = [:]) async throws {
        let program = try await launch(daemon, environment: environment)
        try await program.logged("control.serving")
        // Only then does the status show what the state holds.
        try await program.logged("daemon.started")
    }

    /// SIGTERM; returns how it ended, which may take as long as the daemon promises.
    @discardableResult
    func stop() async throws -> Ending? {
        program?.send(SIGTERM)
        return try await program?.ended(within: .seconds(12))
    }

    func kill() async throws { try await program?.kill() }
}

extension Node {
    /// Appends to the journal with one write.
    func append(_ text: String) throws { try append(bytes: Array(text.utf8)) }

    /// ``append(_:)`` for bytes that need not be text.
    func append(bytes: [UInt8]) throws {
        let file = try FileDescriptor.open(
            journal, .writeOnly, options: [.create, .append], permissions: [.ownerReadWrite, .groupReadWrite])
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }

    /// Appends one operation without a time.
    func append(_ operation: String, _ id: String, _ fields: String? = nil, more: String = "") throws {
        let fields = fields.map { ",\"fields\":\($0)" } ?? ""
        try append("{\"op\":\"\(operation)\",\"id\":\"\(id)\"\(fields)\(more)}\n")
    }

    /// Asks the control socket.
    func control(
        _ method: String, _ path: String, headers: [String: String] = [:], within limit: Duration = .seconds(60)
    ) async throws -> Answer {
        try await site.ask(method, url(path), headers: headers, within: limit)
    }

    func url(_ path: String) -> String {
        "http+unix://" + socket.string.replacing("/", with: "%2F") + path
    }

    func status() async throws -> StatusSnapshot {
        let answer = try await control("GET", "/v1/status", within: .seconds(10))
        return try ControlJSON.read(StatusSnapshot.self, from: Data(answer.text.utf8))
    }

    /// Waits until what was appended is applied and nothing is pending.
    @discardableResult
    func settled(within limit: Duration = .seconds(30)) async throws -> StatusSnapshot {
        let seconds = limit.components.seconds
        let answer = try await control("POST", "/v1/sync?wait=\(seconds)", within: limit + .seconds(10))
        guard try answer.json.members?["done"] == true else {
            throw TooLate("\(name) did not settle: \(answer.text)")
        }
        return try await status()
    }

    /// The live records: fields by id.
    func records(_ collection: String = "movies") async throws -> [String: [String: JSONValue]] {
        let result = try await tool(["list", collection])
        var records: [String: [String: JSONValue]] = [:]
        for item in try result.items() {
            guard let members = item.members, let id = members["id"]?.text else { continue }
            records[id] = members["fields"]?.members ?? [:]
        }
        return records
    }

    /// The items of a list of the control socket.
    func list(_ name: String) async throws -> [[String: JSONValue]] {
        let answer = try await control("GET", "/v1/\(name)")
        guard case .array(let items) = try answer.json.members?["items"] else { return [] }
        return items.compactMap(\.members)
    }

    /// Runs `moviesync` against this node, with `--json`.
    @discardableResult
    func tool(_ arguments: [String], json: Bool = true) async throws -> ProgramResult {
        try await site.run(
            .moviesync, arguments + (json ? ["--json"] : []),
            environment: [
                "MOVIESYNC_SOCKET": socket.string, "MOVIESYNC_JOURNAL": journal.string, "MOVIESYNC_PATIENCE": "60",
            ], in: folder)
    }
}

extension Answer {
    /// The body as a reply of the control socket.
    func read<Reply: Decodable>(_ type: Reply.Type) throws -> Reply {
        try ControlJSON.read(type, from: Data(text.utf8))
    }
}

extension ProgramResult {
    /// Standard output as a reply of the control socket.
    func read<Reply: Decodable>(_ type: Reply.Type) throws -> Reply {
        try ControlJSON.read(type, from: Data(output.utf8))
    }

    /// Standard output as JSON.
    func json() throws -> JSONValue {
        try ControlJSON.read(JSONValue.self, from: Data(output.utf8))
    }

    /// The items of a list on standard output.
    func items() throws -> [JSONValue] {
        let value = try json()
        if case .array(let items) = value { return items }
        if case .array(let items) = value.members?["items"] { return items }
        return []
    }
}

extension Site {
    /// A running node of the hub at `url`.
    func node(
        _ name: String, _ url: String, _ settings: NodeSettings = NodeSettings(), started: Bool = true
    ) async throws -> Node {
        let node = try Node(self, name: name)
        try node.configure(remote: url, settings)
        if started { try await node.start() }
        return node
    }
}
