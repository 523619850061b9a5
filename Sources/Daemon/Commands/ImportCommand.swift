internal import ArgumentParser
internal import Firebase
internal import FoundationEssentials
internal import JSONText
internal import PluginKit
internal import SyncModel
internal import Systemd

/// `moviesyncd serve-firebase import`: a file of JSON into a database, while its server runs.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Write a file of JSON into a database.",
        discussion: """
            Only into an empty place, unless --replace or --merge says what is to happen to what stands there. A file that \
            fits into one request is imported as a whole or not at all; a larger one in several steps, each for itself.
            """
    )

    @OptionGroup var options: TransferOptions

    @Flag(help: "Replace all that stands there.")
    var replace = false

    @Flag(help: "Replace the children that the file has, and leave all others.")
    var merge = false

    @Option(help: ArgumentHelp("The most bytes of one request.", valueName: "bytes"))
    var maxRequest = 256 << 20

    @Argument(help: "The file; - is standard input.")
    var file: String

    /// The bytes of one request where several are needed.
    private static let chunkSize = 32 << 20

    func validate() throws {
        guard !(replace && merge) else { throw ValidationError("--replace and --merge exclude each other") }
        guard maxRequest >= 1024 else { throw ValidationError("--max-request must be at least 1024") }
    }

    func run() async throws {
        try await reportingFailure {
            ProcessSetup.prepare()
            let source = try file == "-" ? TransferFile.standardInput() : TransferFile(path: file)
            let plan = try readingPlan(source)
            try await options.withDatabase { try await send(plan, source, to: $0) }
            let parts = plan.requests.count > 1 ? " in \(plan.requests.count) steps" : ""
            let said = "\(plan.leaves) values, \(source.size) bytes\(parts)"
            StandardError.writeLine("imported \(file) to \(options.path) of \(options.url): \(said)")
        }
    }

    private func readingPlan(_ source: TransferFile) throws -> ImportPlan {
        do {
            return try source.withBytes {
                try ImportPlan($0, mode: merge ? .merge : .replace, maxBytes: maxRequest, chunkSize: Self.chunkSize)
            }
        } catch let fault as JSONFault {
            throw CommandFailure(.dataError, "\(file):\(fault): correct the file; nothing was imported")
        } catch let failure as CommandFailure {
            throw CommandFailure(.dataError, "\(file): \(failure.message); nothing was imported")
        }
    }

    private func send(_ plan: ImportPlan, _ source: TransferFile, to remote: FirebaseRemote) async throws {
        if !replace, !merge, try await !remote.isEmpty(options.path) { throw occupied }
        for (index, request) in plan.requests.enumerated() {
            let body = source.withBytes { plan.body(of: request, in: $0) }
            do {
                switch request {
                case .whole where replace: try await remote.replace(options.path, with: body)
                case .whole:
                    guard try await remote.create(body, at: options.path) else { throw occupied }
                case .some:
                    if index == 0, replace { try await remote.replace(options.path, with: Array("null".utf8)) }
                    try await remote.update(options.path, with: body)
                }
            } catch let error as RemoteError {
                throw failure(error, step: index, of: plan.requests.count)
            }
        }
    }

    private var occupied: CommandFailure {
        CommandFailure(
            .cannotCreate,
            "there is data at \(options.path) of \(options.url), and nothing was changed: export it first, then say "
                + "--replace, or --merge to keep what the file does not have")
    }

    /// What went wrong, and what that means for the database.
    private func failure(_ error: RemoteError, step: Int, of count: Int) -> CommandFailure {
        var failure = error.code == .refused ? CommandFailure(.dataError, error.message) : CommandFailure(error)
        let harm =
            count > 1 && step > 0
            ? "\(step) of \(count) steps were done: repair, and import again with --replace"
            : error.code == .outcomeUnknown
                ? "look whether it was imported before you try again" : "nothing was imported"
        failure.lines = failure.lines.map { "\($0); \(harm)" }
        return failure
    }
}
