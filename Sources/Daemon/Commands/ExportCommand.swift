internal import ArgumentParser
internal import Firebase
internal import FoundationEssentials
internal import JSONText
internal import OperatingSystem
internal import SystemPackage
internal import Systemd

/// `moviesyncd serve-firebase export`: a database as one file of JSON, while its server runs.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a database into a file of JSON.",
        discussion:
            "The file appears when it is complete, with mode 0600. Where there are priorities they are kept, and arrays are written as objects."
    )

    @OptionGroup var options: TransferOptions

    @Argument(help: "The file; - is standard output.")
    var file: String

    func run() async throws {
        try await reportingFailure {
            ProcessSetup.prepare()
            let said = try await options.withDatabase { remote in
                file == "-" ? try await toStandardOutput(remote) : try await toFile(remote)
            }
            StandardError.writeLine("exported \(options.path) of \(options.url): \(said)")
        }
    }

    private func toStandardOutput(_ remote: FirebaseRemote) async throws -> String {
        var count = 0
        let hasPriorities = try await remote.mayHavePriorities(options.path)
        try await remote.export(options.path, withPriorities: hasPriorities) { piece in
            count += piece.count
            try CommandFailure.writingOutput(piece)
        }
        return "\(count) bytes"
    }

    private func toFile(_ remote: FirebaseRemote) async throws -> String {
        let target = try CommandFailure.ofFile { try ReplacingFile(path: file) }
        let hasPriorities = try await remote.mayHavePriorities(options.path)
        try await remote.export(options.path, withPriorities: hasPriorities) { piece in
            try CommandFailure.ofFile { try target.write(piece) }
        }
        let written = try TransferFile(path: target.unfinishedPath)
        let leaves: Int
        do {
            leaves = try written.withBytes { try JSONScanner.value(in: $0).leaves }
        } catch let fault as JSONFault {
            throw CommandFailure(
                .unavailable, "\(options.url) answered with broken JSON, at \(fault): \(file) was not written")
        }
        try CommandFailure.ofFile { try target.finish() }
        return "\(leaves) values, \(written.size) bytes, in \(file)"
    }
}
