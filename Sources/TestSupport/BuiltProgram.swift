internal import FoundationEssentials
package import Subprocess
package import SystemPackage

/// A program of this package, built beside the tests.
package struct BuiltProgram: Sendable {
    package static let moviesync = BuiltProgram("moviesync")
    package static let moviesyncd = BuiltProgram("moviesyncd")
    package static let moviesyncPicture = BuiltProgram("moviesync-picture")
    /// The daemon of the documentation's example, which knows books.
    package static let exampleDaemon = BuiltProgram("ExampleDaemon")

    package let path: FilePath

    private init(_ name: String) {
        path = FilePath(URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path)
    }

    /// Runs it to its end with exactly these variables.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: FilePath? = nil, input: String = ""
    ) async throws -> ProgramResult {
        let result = try await Subprocess.run(
            .path(path), arguments: Arguments(arguments), environment: .exactly(environment), workingDirectory: folder,
            input: .string(input), output: .string(limit: 1 << 24), error: .string(limit: 1 << 22))
        return ProgramResult(
            ending: Ending(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
    }
}

extension Environment {
    /// Exactly these variables, with nothing of the tester's own surroundings.
    package static func exactly(_ variables: [String: String]) -> Environment {
        .custom(Dictionary(uniqueKeysWithValues: variables.map { (Key(stringLiteral: $0.key), $0.value) }))
    }
}
