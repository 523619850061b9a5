internal import Subprocess
internal import SyncModel
internal import SystemPackage

/// Decodes and scales pictures in a process of its own, one at a time.
struct PictureProgram: Sendable {
    /// In bytes: no picture that it makes comes near it.
    private static let mostOutput = 8 << 20

    private let path: String
    private let patience: Duration
    private let turnstile = Turnstile(1)

    /// - Parameter patience: how long one picture may take, where the machine has no time for it. How much it may work, the
    ///   program limits itself.
    init(path: String, patience: Duration) { (self.path, self.patience) = (path, patience) }

    /// The picture of a file as a JPEG of at most `width` and, where that is said, `height` pixels.
    func jpeg(of file: String, width: Int, height: Int? = nil) async throws -> [UInt8] {
        let size = [width, height].compactMap { $0.map(String.init) }
        return try await turnstile.pass { try await run(file, size) }
    }

    private func run(_ file: String, _ size: [String]) async throws -> [UInt8] {
        let picture = try await withTimeout(patience) { try await PictureProgram.output(of: path, file, size) }
        guard let picture else {
            throw PictureError("moviesync-picture had no answer after \(patience.components.seconds) s")
        }
        return picture
    }

    private static func output(of path: String, _ file: String, _ size: [String]) async throws -> [UInt8] {
        let input = try FileDescriptor.open(FilePath(file), .readOnly, options: .closeOnExec)
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .kill, allowedDurationToNextStep: .zero)]
        do {
            let result = try await Subprocess.run(
                .path(FilePath(path)), arguments: Arguments(size), environment: .custom([:]), workingDirectory: "/",
                platformOptions: options, input: .fileDescriptor(input, closeAfterSpawningProcess: true),
                output: .bytes(limit: mostOutput), error: .string(limit: 1000))
            if case .exited(0) = result.terminationStatus { return result.standardOutput }
            let said = result.standardError.split(separator: "\n").first.map(String.init)
            throw PictureError(said ?? "moviesync-picture ended: \(result.terminationStatus)", isMissing: true)
        } catch let error as SubprocessError {
            throw PictureError("\(path) can't be run: \(error)")
        }
    }
}
