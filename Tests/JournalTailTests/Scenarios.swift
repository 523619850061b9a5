import JournalTail

extension Scenario {
    static let all = growing + rotatedLive + rotatedWhileDown + places + RewriteScenarios.all

    private static let growing = [
        Scenario(
            "lines that are there, then lines that come",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .append(["a3"]), .sees(["a1", "a2", "a3"]),
            ]),
        Scenario("a journal that comes later", [.start, .says("missing"), .append(["a1"]), .sees(["a1"])]),
        Scenario(
            "a torn line waits for its end",
            [
                .append(["a1"]), .raw("a2"), .start, .sees(["a1"]), .raw("more\n"), .sees(["a1", "a2more"]),
            ]),
        Scenario(
            "a torn line waits across a restart",
            [
                .append(["a1"]), .raw("a2"), .start, .says("caughtUp"), .sees(["a1"]), .stop, .raw("more\n"), .start,
                .sees(["a1", "a2more"]),
            ]),
        Scenario(
            "a torn line that is taken back",
            [
                .append(["a1"]), .raw("torn"), .start, .says("caughtUp"), .truncate(lines: 1), .append(["a2"]),
                .sees(["a1", "a2"]),
            ]),
        Scenario(
            "a restart goes on behind the last line",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .append(["a2"]), .start, .sees(["a1", "a2"]), .stop,
                .start,
                .says("caughtUp"), .sees(["a1", "a2"]),
            ]),
    ]

    private static let rotatedLive = [
        Scenario(
            "renamed, and a new file",
            [
                .append(["a1"]), .start, .sees(["a1"]), .move("journal.jsonl", "journal.jsonl.1"), .append(["b1"]),
                .says("rotated.renamed"), .sees(["a1", "b1"]),
            ]),
        Scenario(
            "lines for the renamed file before a new one appears",
            [
                .append(["a1"]), .start, .sees(["a1"]), .move("journal.jsonl", "old"), .append(["a2"], to: "old"),
                .sees(["a1", "a2"]), .append(["b1"]), .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "lines for the renamed file while the new one is empty",
            [
                .append(["a1"]), .start, .sees(["a1"]), .move("journal.jsonl", "old"), .append([]),
                .append(["a2"], to: "old"), .sees(["a1", "a2"]), .append(["b1"]), .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "renamed and renamed back",
            [
                .append(["a1"]), .start, .sees(["a1"]), .move("journal.jsonl", "old"), .move("old", "journal.jsonl"),
                .append(["a2"]), .sees(["a1", "a2"]),
            ]),
        Scenario(
            "renamed twice",
            [
                .append(["a1"]), .start, .sees(["a1"]), .move("journal.jsonl", "journal.jsonl.1"), .append(["b1"]),
                .move("journal.jsonl.1", "journal.jsonl.2"), .move("journal.jsonl", "journal.jsonl.1"), .append(["c1"]),
                .sees(["a1", "b1", "c1"]),
            ]),
        Scenario(
            "copied and emptied",
            [
                .append(["a1"]), .start, .sees(["a1"]), .append(["a2"]), .copy("journal.jsonl", "journal.jsonl.1"),
                .truncate(), .append(["b1"]), .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "emptied",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .truncate(), .says("rotated.truncated"),
                .append(["b1"]), .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "overwritten with less",
            [
                .append(["a1", "a2", "a3", "a4"]), .start, .sees(["a1", "a2", "a3", "a4"]), .overwrite(["b1"]),
                .sees(["a1", "a2", "a3", "a4", "b1"]),
            ]),
        Scenario(
            "deleted and made again",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .remove(), .says("missing"), .append(["b1"]),
                .says("rotated.replaced"), .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "replaced by a file that continues it",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .replace(["a1", "a2", "a3"]),
                .sees(["a1", "a2", "a3"]),
            ]),
    ]

    private static let rotatedWhileDown = [
        Scenario(
            "renamed while down",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .append(["a2"]), .move("journal.jsonl", "elsewhere"),
                .append(["b1"]), .start, .says("rotated.renamed"), .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "renamed while down, and nothing new yet",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .append(["a2"]), .move("journal.jsonl", "elsewhere"),
                .start, .sees(["a1", "a2"]), .append(["a3"], to: "elsewhere"), .sees(["a1", "a2", "a3"]),
                .append(["b1"]),
                .sees(["a1", "a2", "a3", "b1"]),
            ]),
        Scenario(
            "renamed three times while down",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .append(["a2"]),
                .move("journal.jsonl", "journal.jsonl.3"),
                .append(["b1"]), .move("journal.jsonl", "journal.jsonl.2"), .append(["c1"]),
                .move("journal.jsonl", "journal.jsonl.1"), .append(["d1"]), .start,
                .sees(["a1", "a2", "b1", "c1", "d1"]),
            ]),
        Scenario(
            "files rotated before the first start are left alone",
            [
                .append(["x1"]), .move("journal.jsonl", "journal.jsonl.1"), .append(["a1"]), .start, .sees(["a1"]),
                .stop,
                .move("journal.jsonl.1", "journal.jsonl.2"), .move("journal.jsonl", "journal.jsonl.1"), .append(["b1"]),
                .start, .sees(["a1", "b1"]),
            ]),
        Scenario(
            "a restart between rotation and the first new line",
            [
                .append(["a1"]), .start, .sees(["a1"]), .move("journal.jsonl", "journal.jsonl.1"), .append([]), .stop,
                .start, .says("caughtUp"), .append(["b1"]), .sees(["a1", "b1"]),
            ]),
        Scenario(
            "copied and emptied while down",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .append(["a2"]),
                .copy("journal.jsonl", "journal.jsonl.1"),
                .truncate(), .append(["b1"]), .start, .says("rotated.copied"), .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "copied and emptied while down, and grown beyond",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .append(["a2"]),
                .copy("journal.jsonl", "journal.jsonl.1"),
                .truncate(), .append(["b1", "b2", "b3"]), .start, .sees(["a1", "a2", "b1", "b2", "b3"]),
            ]),
        Scenario(
            "copied and emptied twice while down",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .copy("journal.jsonl", "journal.jsonl.2"), .truncate(),
                .append(["b1"]), .copy("journal.jsonl", "journal.jsonl.1"), .truncate(), .append(["c1"]), .start,
                .sees(["a1", "b1", "c1"]),
            ]),
        Scenario(
            "emptied while down",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .truncate(), .start, .says("rotated.truncated"),
                .append(["b1"]), .sees(["a1", "b1"]),
            ]),
        Scenario(
            "deleted and made again while down",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .stop, .remove(), .append(["b1"]), .start,
                .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "deleted and made again with more while down",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .remove(), .append(["b1", "b2", "b3"]), .start,
                .sees(["a1", "b1", "b2", "b3"]),
            ]),
        Scenario(
            "restored from a copy while down",
            [
                .append(["a1", "a2"]), .start, .sees(["a1", "a2"]), .stop, .replace(["a1", "a2", "a3"]), .start,
                .sees(["a1", "a2", "a3"]),
            ]),
    ]

    private static let places = [
        Scenario(
            "deleted, made again and rotated while nobody read, and nothing in its place",
            [
                .append(["a1"]), .start, .sees(["a1"]), .stop, .remove(), .append(["b1"]),
                .move("journal.jsonl", "journal.jsonl.1"), .append(["c1"]), .move("journal.jsonl", "journal.jsonl.2"),
                .start, .sees(["a1", "b1", "c1"]), .append(["d1"]), .sees(["a1", "b1", "c1", "d1"]),
            ]),
        Scenario(
            "a folder that comes later", journal: "deep/down/journal.jsonl",
            [
                .start, .says("missing"), .makeFolder("deep"), .makeFolder("deep/down"),
                .append(["a1"], to: "deep/down/journal.jsonl"), .sees(["a1"]),
            ]),
        Scenario(
            "a folder that is deleted and made again", journal: "deep/journal.jsonl",
            [
                .makeFolder("deep"), .append(["a1"], to: "deep/journal.jsonl"), .start, .sees(["a1"]),
                .remove("deep/journal.jsonl"), .remove("deep"), .makeFolder("deep"),
                .append(["b1"], to: "deep/journal.jsonl"), .sees(["a1", "b1"]),
            ]),
        Scenario(
            "a folder that is moved away", journal: "deep/down/journal.jsonl",
            [
                .makeFolder("deep"), .makeFolder("deep/down"), .append(["a1"], to: "deep/down/journal.jsonl"), .start,
                .sees(["a1"]), .move("deep", "away"), .makeFolder("deep"), .makeFolder("deep/down"),
                .append(["b1"], to: "deep/down/journal.jsonl"), .sees(["a1", "b1"]),
            ]),
        Scenario(
            "a link to a journal in another folder",
            [
                .makeFolder("real"), .link("journal.jsonl", to: "real/log.jsonl"), .start, .says("missing"),
                .append(["a1"], to: "real/log.jsonl"), .sees(["a1"]), .append(["a2"]), .sees(["a1", "a2"]),
                .move("real/log.jsonl", "real/log.jsonl.1"), .append(["b1"]), .sees(["a1", "a2", "b1"]),
            ]),
        Scenario(
            "a link to nowhere whose folder comes later",
            [
                .link("journal.jsonl", to: "real/log.jsonl"), .start, .says("missing"), .makeFolder("real"),
                .append(["a1"], to: "real/log.jsonl"), .sees(["a1"]),
            ]),
        Scenario(
            "a folder in the journal's place",
            [
                .makeFolder("journal.jsonl"), .start, .says("unreadable"), .remove("journal.jsonl"), .append(["a1"]),
                .sees(["a1"]),
            ]),
    ]
}
