import Testing

@testable import ControlCommands

struct TypedLineTests {
    @Test(
        arguments: [
            (["--socket", "/s", "status"], ["status", "--socket", "/s"]),
            (["--json", "--socket=/s", "list", "movies"], ["list", "--json", "--socket=/s", "movies"]),
            (["--journal", "/j", "add", "--", "--json"], ["add", "--journal", "/j", "--", "--json"]),
            (["--json", "journal", "verify"], ["journal", "verify", "--json"]),
            (
                ["--config", "/c", "journal", "--json", "verify", "x"],
                ["journal", "verify", "--config", "/c", "--json", "x"]
            ),
            (["--json", "quarantine", "--config", "/c"], ["quarantine", "--json", "--config", "/c"]),
            (["status", "--json"], ["status", "--json"]),
            (["--json", "--version"], ["--json", "--version"]), (["--json"], ["--json"]),
            (["--socket"], ["--socket"]), (["--", "status"], ["--", "status"]), ([], []),
        ] as [([String], [String])])
    func `options before the command count as well`(arguments: [String], expected: [String]) {
        #expect(TypedLine(arguments).normalized == expected)
    }

    @Test(
        arguments: [
            (["statsu"], "there is no command 'statsu'; did you mean 'status'? see 'moviesync --help'"),
            (["update", "--wait"], "there is no command 'update'; see 'moviesync --help'"),
            (
                ["--json", "quarantine", "dorp", "3"],
                "there is no command 'quarantine dorp'; did you mean 'quarantine drop'? see 'moviesync quarantine --help'"
            ), (["metrics", "--textfile", ""], "--textfile needs a path; see 'moviesync metrics --help'"),
            (["journal", "verify", ""], "the file needs a path; see 'moviesync journal verify --help'"),
            (["--socket=", "status"], "--socket needs a path; see 'moviesync status --help'"),
            (["--socket", "/s"], "a command is missing, such as 'moviesync status'; see 'moviesync --help'"),
            (["--json"], "a command is missing, such as 'moviesync status'; see 'moviesync --help'"),
            (["--socket", "status"], "a command is missing, such as 'moviesync status'; see 'moviesync --help'"),
            (
                ["journal", "--json"],
                "a command is missing, such as 'moviesync journal replay'; see 'moviesync journal --help'"
            ),
            (["--json", "quarantine"], nil), (["journal"], nil), ([], nil), (["--json", "--version"], nil),
            (["status", "statsu"], nil), (["--version"], nil), (["help", "list"], nil), (["quarantine"], nil),
        ] as [([String], String?)])
    func `a command that does not exist is told, with the nearest one`(arguments: [String], words: String?) {
        #expect(TypedLine(arguments).problem?.message == words)
    }

    @Test func `a complaint is in the words that were typed`() {
        let words = "Error: The value 'abc' is invalid for '--wait-seconds'"
        #expect(
            TypedLine(["add", "--wait-seconds=abc"]).complaint(words).message
                == "The value 'abc' is invalid for '--wait'; see 'moviesync add --help'")
    }

    @Test func `where no command is named, nothing is said of what stands behind it`() {
        #expect(
            TypedLine(["--wait"]).complaint("Error: Unknown option '--wait'").message
                == "Unknown option '--wait'; see 'moviesync --help'")
    }

    @Test(arguments: ["Error: Unknown option '-1'", "Missing expected argument '<title>'\nUsage: …"])
    func `a title that begins with a dash is told where it stands`(words: String) {
        let line = TypedLine(["add", "-1"])
        let first = words.split(separator: "\n")[0].replacing("Error: ", with: "")
        #expect(
            line.complaint(words).message
                == "\(first). What begins with - and is no option stands behind --: moviesync add -- '-1'; "
                + "see 'moviesync add --help'")
    }

    @Test(arguments: [(["list", "--json"], true), (["--json"], true), (["add", "--", "--json"], false)])
    func `JSON is asked for anywhere before the operands`(arguments: [String], wants: Bool) {
        #expect(TypedLine(arguments).wantsJSON == wants)
    }
}
