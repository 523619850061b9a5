import Testing

@testable import PluginWire

@Suite struct PluginLogTests {
    private func read(_ text: String, _ log: inout PluginLog, at now: UInt64 = 0) -> [PluginLog.Line] {
        log.read(Array(text.utf8)[...], at: now)
    }

    @Test func `the number at the beginning of a line is its level`() {
        var log = PluginLog()
        #expect(
            read("<3>broken\nplain\n<7>\u{1B}[31mfine \r\n\n<9>nine\n<4", &log) == [
                .init(level: .error, text: "broken"), .init(level: .info, text: "plain"),
                .init(level: .debug, text: "[31mfine"), .init(level: .info, text: "<9>nine"),
            ])
        #expect(read(">two pieces\n", &log) == [.init(level: .warning, text: "two pieces")])
    }

    @Test func `secrets are taken out`() {
        var log = PluginLog(Redaction(["hunter22"]))
        #expect(read("GET /?key=hunter22\n", &log) == [.init(level: .info, text: "GET /?key=•••")])
    }

    @Test(
        arguments: [
            (#"pässword "x""#, #"{"key":"pässword \"x\""}"#, #"{"key":"•••"}"#),
            (#"pässword "x""#, #"{"key":"p\u00e4ssword \"x\""}"#, #"{"key":"•••"}"#),
            ("pass word/1", "GET /?key=pass%20word%2F1", "GET /?key=•••"),
            ("pass word/1", "key=pass+word%2F1", "key=•••"),
            ("-----BEGIN KEY-----\nMIIEvQIBADAN\nab==\n-----END KEY-----\n", "MIIEvQIBADAN", "•••"),
            ("-----BEGIN KEY-----\r\nMIIEvQIBADAN\r\n", "read MIIEvQIBADAN.", "read •••."),
        ]
    )
    func `a secret is taken out however it is spelled, and line by line`(secret: String, line: String, left: String) {
        var log = PluginLog(Redaction([secret]))
        #expect(read(line + "\n", &log).map(\.text) == [left])
    }

    @Test func `secrets that come later are taken out beside those of before, also of a line that is half read`() {
        var log = PluginLog(Redaction(["hunter22"]))
        #expect(read("was hunter22, ", &log).isEmpty)
        log.takeOut(["correct horse"])
        #expect(read("is correct horse\n", &log).map(\.text) == ["was •••, is •••"])
    }

    @Test func `no part of a secret stays where a line is cut`() {
        var log = PluginLog(Redaction(["hunter22"]))
        for spaces in 4_080...4_110 {
            let line = read(
                String(repeating: "x", count: spaces) + "hunter22hunter22\n", &log, at: UInt64(spaces) * 1_000)
            #expect(line.first?.text.contains("h") == false)
            #expect((line.first?.text.utf8.count ?? 0) <= 4_096)
        }
    }

    @Test func `a long line is cut, also one that never ends`() {
        var log = PluginLog()
        for _ in 0..<100 { #expect(read(String(repeating: "x", count: 1_000), &log).isEmpty) }
        #expect(log.finish(at: 0) == [.init(level: .info, text: String(repeating: "x", count: 4_093))])
        #expect(log.finish(at: 0) == [])
    }

    @Test func `more than 100 lines in a second are counted only`() {
        var log = PluginLog()
        let flood = String(repeating: "again\n", count: 350)
        #expect(read(flood, &log, at: 5_999).count == 100)
        #expect(
            read("later\n", &log, at: 6_000) == [
                .init(level: .warning, text: "250 lines were left out: more than 100 in a second"),
                .init(level: .info, text: "later"),
            ])
        _ = read(flood, &log, at: 6_100)
        #expect(log.finish(at: 6_100).map(\.text) == ["251 lines were left out: more than 100 in a second"])
    }
}
