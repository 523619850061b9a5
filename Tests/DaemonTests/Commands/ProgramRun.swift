import SystemPackage
import TestSupport

/// Runs the built program to its end.
func moviesyncd(
    _ arguments: [String], in folder: FilePath, log: [String: String] = [:]
) async throws -> ProgramResult {
    try await BuiltProgram.moviesyncd.run(
        arguments, environment: log.merging(["HOME": folder.string]) { $1 }, in: folder)
}
