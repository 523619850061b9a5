internal import ArgumentParser
internal import DatabaseServer
internal import FoundationEssentials
internal import OperatingSystem
internal import SyncModel
internal import SystemPackage
internal import Systemd

/// `moviesyncd serve-firebase accounts`: all accounts as one file.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "Write the accounts into a file of JSON, or read them from one.",
        discussion: "The file has the form of \"firebase auth:export\". The hub may run meanwhile.",
        subcommands: [ExportAccountsCommand.self, ImportAccountsCommand.self])
}

/// `moviesyncd serve-firebase accounts export`.
struct ExportAccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the accounts into a file of JSON.",
        discussion: "The file appears when it is complete, with mode 0600: it holds the hashes of passwords.")

    @OptionGroup var dataFolder: DataFolderOption

    @Argument(help: "The file; - is standard output.")
    var file: String

    func run() async throws {
        try await reportingFailure {
            ProcessSetup.prepare()
            let folder = try dataFolder.folder().string
            guard file != "-" else {
                let count = try AccountTransfer.export(from: folder) { try CommandFailure.writingOutput($0) }
                return StandardError.writeLine("exported \(count) accounts")
            }
            let target = try CommandFailure.ofFile { try ReplacingFile(path: file) }
            let count = try AccountTransfer.export(from: folder) { piece in
                try CommandFailure.ofFile { try target.write(piece) }
            }
            try CommandFailure.ofFile { try target.finish() }
            StandardError.writeLine("exported \(count) accounts to \(file)")
        }
    }
}

/// `moviesyncd serve-firebase accounts import`.
struct ImportAccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read accounts from a file of JSON.",
        discussion: """
            Accounts that are there already stay as they are, unless --replace is given. Passwords are taken over where \
            the file, or that of --hash-config, says how they were hashed: STANDARD_SCRYPT, or SCRYPT with signerKey, \
            saltSeparator, rounds and memoryCost. Whoever has none of those has to reset the password.
            """)

    @OptionGroup var dataFolder: DataFolderOption

    @Flag(help: "Replace accounts that are there already.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "A file of mode 0600 with a JSON object: hashAlgorithm and its parameters.", valueName: "file"))
    var hashConfig: String?

    @Argument(help: "The file.")
    var file: String

    func run() async throws {
        try await reportingFailure {
            ProcessSetup.prepare()
            let source = try TransferFile(path: file)
            let hashing = try hashConfig.map { try SecretFile.read(at: $0) }
            let report = try AccountTransfer.take(
                source.withBytes { Array($0) }, hashing: hashing, replacing: replace,
                into: try dataFolder.folder().string)
            for refused in report.refused.prefix(20) {
                StandardError.writeLine("users[\(refused.index)]: \(refused.reason)".oneLine)
            }
            if report.refused.count > 20 { StandardError.writeLine("and \(report.refused.count - 20) more") }
            if report.withoutPassword > 0 {
                StandardError.writeLine(
                    "\(report.withoutPassword) passwords could not be taken over: these users have to reset theirs")
            }
            StandardError.writeLine("imported \(report.count) accounts from \(file)")
            if !report.refused.isEmpty {
                throw CommandFailure(.dataError, "\(report.refused.count) accounts of \(file) were not imported")
            }
        }
    }
}
