internal import ArgumentParser
internal import FoundationEssentials
internal import OperatingSystem
internal import PluginExam
internal import SyncModel
internal import SystemPackage

struct PluginTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Try whether a plugin keeps all promises of the protocol; exits with 1 if not.",
        discussion: "No daemon is needed. Options stand before the program; what follows it is its own.")

    @Option(help: ArgumentHelp("Try the plugin behind this socket instead.", valueName: "path"))
    var socket: String?

    @Option(name: .customLong("set"), help: ArgumentHelp("A setting for hello, JSON or text.", valueName: "name=value"))
    var settings: [String] = []

    @Option(
        name: .customLong("secret"),
        help: ArgumentHelp("A secret for hello, from a file of mode 0600.", valueName: "name=file"))
    var secrets: [String] = []

    @Option(help: "What is searched for in a catalog.")
    var query = "a"

    @Flag(help: "Services that the plugin needs have to answer.")
    var live = false

    @Option(help: ArgumentHelp("Try this promise only; may be repeated.", valueName: "name"))
    var only: [String] = []

    @Flag(help: "Show what the plugin prints on standard error.")
    var verbose = false

    @Option(help: ArgumentHelp("Not read: no daemon is asked.", valueName: "file"))
    var config: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
    var command: [String] = []

    mutating func validate() throws {
        command = try program(of: command)
        guard (socket == nil) != command.isEmpty else { throw ValidationError("give a program, or --socket") }
        if let name = only.first(where: { !PluginExam.names.contains($0) }) {
            throw ValidationError(
                "no promise is called '\(name)'; there are \(PluginExam.names.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let output = Output(json: json)
        let exam = PluginExam(try candidate(), only: Set(only))
        var answer = PluginTestAnswer()
        try await exam.run { result in
            answer.results.append(result)
            if !json { try output.write(text: PluginTestAnswer.line(result, output.style)) }
        }
        if json { try output.show(answer) } else { try output.write(text: answer.summary) }
        if answer.count(of: .failed) > 0 { throw ExitCode(1) }
    }

    private func candidate() throws -> ExamCandidate {
        var said: [String: JSONValue] = [:]
        for text in settings {
            let assignment = try FieldAssignment(text, textFields: [])
            said[assignment.field] = assignment.value
        }
        var candidate = try reached(said, try secretTexts())
        candidate.isLive = live
        candidate.query = query
        if verbose { candidate.log = { _ = try? FileDescriptor.standardError.writeAll($0) } }
        return candidate
    }

    private func reached(_ settings: [String: JSONValue], _ secrets: [String: String]) throws -> ExamCandidate {
        if let socket { return ExamCandidate(socket: absolute(socket), settings: settings, secrets: secrets) }
        do {
            let program = command[0].contains("/") ? absolute(command[0]) : command[0]
            return try ExamCandidate(
                program: program, arguments: Array(command.dropFirst()), settings: settings, secrets: secrets)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    private func secretTexts() throws -> [String: String] {
        var texts: [String: String] = [:]
        for text in secrets {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                throw CommandFailure(.usage, "'\(text)' names no secret; write name=file")
            }
            do {
                let content = try SecretFile.read(at: absolute(String(text[text.index(after: sign)...])))
                texts[String(text[..<sign])] = String(decoding: content, as: UTF8.self)
            } catch {
                throw CommandFailure(.usage, "\(error)")
            }
        }
        return texts
    }

    private func absolute(_ path: String) -> String {
        FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path)).lexicallyNormalized().string
    }
}
