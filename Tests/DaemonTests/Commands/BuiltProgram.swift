import FoundationEssentials
import Subprocess
import SystemPackage
import Testing

/// Runs the built program to its end.
func moviesyncd(
    _ arguments: [String], in folder: FilePath, log: [String: String] = [:]
) async throws -> (code: Int32?, output: String, errors: String) {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "moviesyncd")
    let environment = log.merging(["HOME": folder.string]) { $1 }
    let record = try await Subprocess.run(
        .path(FilePath(program.path)), arguments: Arguments(arguments),
        environment: .custom(
            Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) })
        ),
        workingDirectory: folder, input: .none, output: .string(limit: 1 << 20), error: .string(limit: 1 << 20)
    )
    var code: Int32?
    if case .exited(let status) = record.terminationStatus { code = status }
    return (code, record.standardOutput, record.standardError)
}
