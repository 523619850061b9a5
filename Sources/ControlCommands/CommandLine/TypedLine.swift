internal import PluginKit

/// A command line as it was typed: which command it names, and what is wrong with that.
struct TypedLine {
    let arguments: [String]
    /// Where the words of the command stand, the name of its group first.
    private(set) var command: [Int] = []
    /// A word where the name of a command should stand, and the names that could.
    private(set) var unknown: (word: String, known: [String])?
    /// The commands that could be named, where the line has options and then ends without one.
    private var missing: [String]?
    /// Whether the words name a command, rather than a group of them.
    private var isCommand: Bool { !reached.isGroup }
    private var reached = CommandTree.root

    init(_ arguments: [String]) {
        self.arguments = arguments
        var index = arguments.startIndex
        while reached.isGroup, index < arguments.endIndex {
            if let length = TypedLine.length(of: arguments[index]) {
                index += length
            } else if let next = reached[arguments[index]] {
                command.append(index)
                reached = next
                index += 1
            } else {
                let isWord = !arguments[index].hasPrefix("-") && arguments[index] != "help"
                if isWord { unknown = (arguments[index], reached.children.keys.sorted()) }
                return
            }
        }
        guard reached.isGroup, !reached.hasDefault, arguments.count > command.count else { return }
        missing = reached.children.keys.sorted()
    }

    /// Whether JSON was asked for, wherever in the line.
    var wantsJSON: Bool { options.contains("--json") }

    /// The line with the options that stand before the command, or before a group's, moved behind it, where the command
    /// reads them.
    var normalized: [String] {
        guard let last = command.last else { return arguments }
        let names = command.map { arguments[$0] }
        let before = arguments.indices.filter { $0 < last && !command.contains($0) }.map { arguments[$0] }
        return names + before + arguments[(last + 1)...]
    }

    /// What is wrong with the line, where that is the name of its command, none at all, or a path that is empty: a variable
    /// that is not set would mean another file.
    var problem: CommandFailure? {
        if let emptyPath { return CommandFailure(.usage, "\(emptyPath) needs a path; see '\(help)'") }
        if let example = missing?.first(where: { $0 == "status" }) ?? missing?.first {
            return CommandFailure(.usage, "a command is missing, such as '\(name) \(example)'; see '\(help)'")
        }
        guard let unknown else { return nil }
        let group = command.map { arguments[$0] + " " }.joined()
        let hint = NearestName.of(unknown.word, among: unknown.known).map { "; did you mean '\(group)\($0)'?" } ?? ""
        return CommandFailure(
            .usage, "there is no command '\(group)\(unknown.word)'\(hint.isEmpty ? ";" : hint) see '\(help)'")
    }

    /// What has an empty path: an option, or the file that a command takes.
    private var emptyPath: String? {
        let paths = ["--socket", "--config", "--journal", "--textfile"]
        let option = paths.first { path in
            options.contains(path + "=") || zip(options, options.dropFirst()).contains { $0 == path && $1.isEmpty }
        }
        let takesFile = command.first.map { ["journal", "backup"].contains(arguments[$0]) } ?? false
        return option ?? (takesFile && options.contains("") ? "the file" : nil)
    }

    /// How the words of the parser's complaint end for people.
    func complaint(_ words: String) -> CommandFailure {
        let first = words.split(separator: "\n").first.map(String.init) ?? "the command line can't be read"
        var text = EditOptions.asTyped(first)
        if text.hasPrefix("Error: ") { text.removeFirst(7) }
        let isMissing = text.hasPrefix("Missing expected argument")
        let dash = options.first { option in
            isMissing ? TypedLine.isNoOption(option) : option.hasPrefix("-") && text.contains("'\(option)'")
        }
        if let dash, isCommand, !text.contains("Did you mean") {
            text += text.hasSuffix(".") ? "" : "."
            text += " What begins with - and is no option stands behind --: \(name) -- '\(dash)'"
        }
        if text.hasSuffix(".") { text.removeLast() }
        return CommandFailure(.usage, "\(text); see '\(help)'")
    }

    private var name: String { (["moviesync"] + command.map { arguments[$0] }).joined(separator: " ") }
    private var help: String { name + " --help" }

    /// What stands before `--`.
    private var options: ArraySlice<String> { arguments.prefix { $0 != "--" } }

    /// Whether no command has such an option: these have long names, without spaces.
    private static func isNoOption(_ text: String) -> Bool {
        text.hasPrefix("-") && text != "-h" && (!text.hasPrefix("--") || text.contains(" "))
    }

    /// How many arguments an option takes that may stand before the command; nil where it is none of them.
    private static func length(of argument: String) -> Int? {
        let valued = ["--socket", "--config", "--journal"]
        if argument == "--json" { return 1 }
        if valued.contains(argument) { return 2 }
        return valued.contains { argument.hasPrefix($0 + "=") } ? 1 : nil
    }
}
