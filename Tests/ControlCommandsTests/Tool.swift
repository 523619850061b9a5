import FoundationEssentials
import TestSupport

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
    // The daemon is a part of this process, which many tests keep busy.
    let surroundings = ["HOME": home, "MOVIESYNC_SOCKET": socket, "MOVIESYNC_PATIENCE": "60"]
        .merging(environment) { $1 }
    let result = try await BuiltProgram.moviesync.run(arguments, environment: surroundings)
    return ToolRun(exitCode: result.code ?? -1, output: result.output, complaint: result.errors)
}

/// The lines of a file.
func lines(of path: String) throws -> [Substring] {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n")
}
