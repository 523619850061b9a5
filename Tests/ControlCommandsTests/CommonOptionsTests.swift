import Testing

@testable import ControlCommands

struct CommonOptionsTests {
    @Test(
        arguments: [
            (["--socket", "/s", "status"], ["status", "--socket", "/s"]),
            (["--json", "--socket=/s", "list", "movies"], ["list", "movies", "--json", "--socket=/s"]),
            (["--journal", "/j", "add", "--", "--json"], ["add", "--journal", "/j", "--", "--json"]),
            (["--json", "journal", "verify"], ["journal", "verify", "--json"]),
            (["status", "--json"], ["status", "--json"]),
            (["--json", "--version"], ["--json", "--version"]), (["--json"], ["--json"]),
            (["--socket"], ["--socket"]), (["--", "status"], ["--", "status"]), ([], []),
        ] as [([String], [String])])
    func `options before the command count as well`(arguments: [String], expected: [String]) {
        #expect(CommonOptions.normalized(arguments) == expected)
    }
}
