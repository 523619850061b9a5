/// What was consumed is changed, and a person is asked.
enum RewriteScenarios {
    static let all = ends + anywhere + meanwhile

    private static let ends = [
        Scenario(
            "rewritten in place, read again",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .overwrite(["b1", "b2", "b3"]), .says("rewritten"),
                .decide(.readAgain), .sees(["a1", "a2", "b1", "b2", "b3"]),
            ]),
        Scenario(
            "rewritten in place, rejected",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .overwrite(["b1", "b2", "b3"]), .says("rewritten"),
                .decide(.goOn), .says("caughtUp"), .append(["b4"]), .sees(["a1", "a2", "b4"]),
            ]),
        Scenario(
            "rewritten while down",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .stop, .overwrite(["a1", "bb", "a3"]), .start,
                .says("rewritten"), .sees(["a1", "a2"]), .stop, .start, .says("watching"), .decide(.readAgain),
                .sees(["a1", "a2", "a1", "bb", "a3"]),
            ]),
        Scenario(
            "the last lines cut off",
            [
                .append(["a1", "a2", "a3"]), .start, .sees(["a1", "a2", "a3"]), .truncate(lines: 2), .says("rewritten"),
                .append(["a4"]), .sees(["a1", "a2", "a3"]), .decide(.goOn), .sees(["a1", "a2", "a3", "a4"]),
                .append(["a5"]), .sees(["a1", "a2", "a3", "a4", "a5"]),
            ]),
        Scenario(
            "the last lines cut off while down",
            [
                .append(["a1", "a2", "a3"]), .start, .sees(["a1", "a2", "a3"]), .stop, .truncate(lines: 2), .start,
                .says("rewritten"), .decide(.goOn), .says("caughtUp"), .stop, .append(["a4"]), .start,
                .sees(["a1", "a2", "a3", "a4"]),
            ]),
        Scenario(
            "edited and saved as a new file",
            [
                .append(["a1", "a2", "a3"]), .start, .sees(["a1", "a2", "a3"]), .replace(["a1", "a3"]),
                .says("rewritten"), .decide(.readAgain), .sees(["a1", "a2", "a3", "a1", "a3"]),
            ]),
    ]

    private static let some = (1...9).map { "a\($0)" }

    private static let anywhere = [
        Scenario(
            "the first line changed",
            [
                .append(some), .start, .sees(some), .says("caughtUp"), .rewrite(line: 0, "xx"), .says("rewritten"),
                .append(["b1"]), .decide(.goOn), .sees(some + ["b1"]),
            ]),
        Scenario(
            "a line in the middle changed",
            [
                .append(some), .start, .sees(some), .says("caughtUp"), .rewrite(line: 4, "xx"), .says("rewritten"),
                .append(["b1"]), .decide(.goOn), .sees(some + ["b1"]),
            ]),
        Scenario(
            "a line in the middle changed while down",
            [
                .append(some), .start, .sees(some), .stop, .rewrite(line: 4, "xx"), .start, .says("rewritten"),
                .sees(some), .append(["b1"]), .decide(.goOn), .sees(some + ["b1"]),
            ]),
        Scenario(
            "a line in the middle changed while down, read again",
            [
                .append(some), .start, .sees(some), .stop, .rewrite(line: 4, "xx"), .start, .says("rewritten"),
                .decide(.readAgain), .sees(some + some.prefix(4) + ["xx"] + some.suffix(4)),
            ]),
        Scenario(
            "a line of the renamed file changed",
            [
                .append(some), .start, .sees(some), .stop, .rewrite(line: 4, "xx"),
                .move("journal.jsonl", "journal.jsonl.1"), .append(["b1"]), .start, .says("rewritten"), .sees(some),
                .decide(.goOn), .sees(some + ["b1"]),
            ]),
    ]

    private static let meanwhile = [
        Scenario(
            "appended during the wait, and a restart",
            [
                .append(some), .start, .sees(some), .rewrite(line: 0, "xx"), .says("rewritten"), .append(["b1"]), .stop,
                .append(["b2"]), .start, .append(["b3"]), .says("watching"), .sees(some), .decide(.goOn),
                .sees(some + ["b1", "b2", "b3"]), .stop, .append(["b4"]), .start,
                .sees(some + ["b1", "b2", "b3", "b4"]),
            ]),
        Scenario(
            "a line without its end during the wait",
            [
                .append(some), .raw("tor"), .start, .sees(some), .rewrite(line: 0, "xx"), .says("rewritten"),
                .raw("n\n"), .decide(.goOn), .sees(some + ["torn"]),
            ]),
        Scenario(
            "renamed during the wait",
            [
                .append(some), .start, .sees(some), .rewrite(line: 0, "xx"), .says("rewritten"), .append(["b1"]),
                .move("journal.jsonl", "journal.jsonl.1"), .append(["c1"]), .decide(.goOn),
                .says("rotated.renamed"), .sees(some + ["b1", "c1"]),
            ]),
        Scenario(
            "renamed during the wait, read again",
            [
                .append(some), .start, .sees(some), .rewrite(line: 0, "xx"), .says("rewritten"), .append(["b1"]),
                .move("journal.jsonl", "journal.jsonl.1"), .append(["c1"]), .stop, .start, .decide(.readAgain),
                .says("rotated.renamed"), .sees(some + ["xx"] + some.dropFirst() + ["b1", "c1"]),
            ]),
        Scenario(
            "copied and emptied during the wait",
            [
                .append(some), .start, .sees(some), .rewrite(line: 0, "xx"), .says("rewritten"), .append(["b1"]),
                .copy("journal.jsonl", "journal.jsonl.1"), .truncate(), .append(["c1"]), .decide(.goOn),
                .says("rotated.copied"), .sees(some + ["b1", "c1"]),
            ]),
        Scenario(
            "copied and emptied during the wait, read again",
            [
                .append(some), .start, .sees(some), .rewrite(line: 0, "xx"), .says("rewritten"), .append(["b1"]),
                .copy("journal.jsonl", "journal.jsonl.1"), .truncate(), .append(["c1"]), .decide(.readAgain),
                .says("rotated.copied"), .sees(some + ["xx"] + some.dropFirst() + ["b1", "c1"]),
            ]),
        Scenario(
            "changed again during the wait",
            [
                .append(some), .start, .sees(some), .rewrite(line: 0, "xx"), .says("rewritten"),
                .rewrite(line: 8, "yy"), .decide(.goOn), .says("rewritten"), .append(["b1"]), .decide(.goOn),
                .sees(some + ["b1"]),
            ]),
        Scenario(
            "changed again after the answer",
            [
                .append(some), .start, .sees(some), .rewrite(line: 0, "xx"), .says("rewritten"), .decide(.goOn),
                .says("caughtUp"), .rewrite(line: 4, "yy"), .says("rewritten"), .append(["b1"]), .decide(.goOn),
                .sees(some + ["b1"]),
            ]),
    ]
}
