import FoundationEssentials
import Subprocess
import SystemPackage

/// What a run of the built program left behind.
struct ToolRun {
    var exitCode: Int
    var output: String
    var complaint: String

    /// The lines of the output.
    var lines: [Substring] { output.split(separator: "\n") }
}

/// Runs the built `moviesync` with nothing of the tester's own surroundings.
func moviesync(
    _ arguments: [String], socket: String, home: String = "/nonexistent", environment: [String: String] = [:]
) async throws -> ToolRun {
    let surroundings = ["HOME": home, "MOVIESYNC_SOCKET": socket].merging(environment) { $1 }
    let result = try await run(
        .path(FilePath(builtProgram("moviesync"))), arguments: Arguments(arguments),
        environment: .custom(Dictionary(uniqueKeysWithValues: surroundings.map { (.init(stringLiteral: $0), $1) })),
        output: .string(limit: 1 << 24), error: .string(limit: 1 << 20)
    )
    var code = -1
    if case .exited(let exited) = result.terminationStatus { code = Int(exited) }
    return ToolRun(exitCode: code, output: result.standardOutput, complaint: result.standardError)
}

/// The path of a program built beside the tests.
func builtProgram(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
}

/// The lines of a file.
func lines(of path: String) throws -> [Substring] {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n")
}
