import PluginWire
import SyncModel
import TestSupport

extension FuzzTarget {
    private static let secret = "hunter22"

    /// What a plugin prints on its standard output.
    static let plugin = FuzzTarget(
        "plugin",
        seeds: [
            #"{"id":1,"ok":{"protocol":1,"name":"shelf","version":"1","provides":{"catalog":{}},"concurrency":2}}"#
                + "\n"
                + #"{"id":2,"item":{"key":"1"}}"# + "\n" + #"{"id":3,"ok":{"next":null}}"# + "\n"
                + #"{"id":2,"error":{"code":"limited","message":"hunter22","retryAfter":1}}"# + "\n",
            #"{"id":1,"ok":{"disable":"no hunter22"}}"# + "\n", #"{"id":1,"error":{"code":"protocol"}}"# + "\n",
            #"{"id":1,"ok":{"protocol":1,"requires":["x"],"provides":7}}"# + "\nTraceback hunter22\n",
        ],
        words: [
            "\n", "\r\n", #"{"id":"#, #""ok":"#, #""item":"#, #""progress":"#, #""error":"#, #""code":"#, "hunter22",
            #""concurrency":"#, "null", "1e99", "-1", "2", "3", "99", "{}", "[]",
        ]
    ) { input in
        var limits = PluginLimits()
        limits.line = 4_096
        limits.items = 3
        var session = PluginSession(limits: limits, at: 0)
        _ = session.greet(PluginGreeting(version: "1", name: "x", secrets: ["key": secret]), at: 0)
        for number: UInt64 in 1...4 { _ = session.call(number, "catalog.search", with: [:], at: 0) }
        var watch = SessionWatch()
        for piece in Pieces(input, sizes: cuts(input)) { try watch.look(at: session.read(piece, at: 1)) }
        try watch.look(at: session.close("it ended with hunter22"))
        try promise(watch.ended == [1, 2, 3, 4], "calls without an end: \(watch.ended)")
        return watch.isGreeted
    }

    /// What a plugin prints on standard error.
    static let pluginLog = FuzzTarget(
        "pluginLog", seeds: ["<3>broken\nfine\n<7>GET /?key=hunter22\n", "\u{1B}[31mred\r\n\n<9>x", "no end"],
        words: ["<", ">", "<0>", "\n", "hunter22", "\u{2028}", "\u{0}"]
    ) { input in
        var log = PluginLog(Redaction([secret]))
        var lines: [PluginLog.Line] = []
        for piece in Pieces(input, sizes: cuts(input)) { lines += log.read(piece, at: 0) }
        lines += log.finish(at: 0)
        var whole = PluginLog(Redaction([secret]))
        try promise(lines == whole.read(input[...], at: 0) + whole.finish(at: 0), "other pieces, other lines")
        try promise(lines.count <= 101, "\(lines.count) lines in a second")
        for line in lines {
            try promise(!line.text.contains(secret), "a secret in \(line.text)")
            let breaks = line.text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            try promise(!breaks && !line.text.isEmpty, "no good line: \(line.text.debugDescription)")
        }
        return !lines.isEmpty
    }
}

/// What must hold of all that a session wants.
private struct SessionWatch {
    var isGreeted = false
    var isOver = false
    var ended: Set<UInt64> = []

    mutating func look(at effects: [PluginSession.Effect]) throws {
        for effect in effects {
            switch effect {
            case .send(let line):
                try promise(
                    !isOver && line.last == 0x0A && line.dropLast().allSatisfy { $0 != 0x0A }, "no line: \(line)")
            case .greeted: isGreeted = true
            case .answer(let number, .ok): try end(number)
            case .answer(let number, _): try promise(!ended.contains(number), "an answer after the end of \(number)")
            case .failed(let number, let error):
                try end(number)
                try words(error)
            case .refused(let error):
                isOver = true
                try words(error)
            case .end(let breach):
                isOver = true
                try words(breach)
            }
        }
    }

    private mutating func end(_ number: UInt64) throws {
        try promise(ended.insert(number).inserted, "the call \(number) ended twice")
    }

    private func words(_ error: any Error) throws {
        try promiseOneLine(error)
        try promise(!"\(error)".contains("hunter22"), "a secret in \(error)")
    }
}
