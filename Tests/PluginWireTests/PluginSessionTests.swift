import PluginWire
import SyncModel
import Testing

@Suite struct PluginSessionTests {
    /// A session that was greeted and sends its next call with the id 2.
    private func greeted(_ limits: PluginLimits = PluginLimits(), concurrency: Int = 1) -> PluginSession {
        var session = PluginSession(limits: limits, at: 0)
        _ = session.greet(shelf, at: 0)
        _ = session.read(printed(hello(more: #","concurrency":\#(concurrency)"#)), at: 0)
        return session
    }

    @Test func `hello comes first, and calls wait for its answer`() {
        var session = PluginSession(at: 0)
        #expect(session.call(1, "catalog.search", with: ["query": "alien"], at: 0) == [])
        guard case .send(let line)? = session.greet(shelf, at: 0).first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(line.message["id"] == 1 && line.message["call"] == "hello")
        let arguments = line.message["with"]?.members
        #expect(arguments?["protocols"] == [1])
        #expect(arguments?["settings"] == ["plot": "full"])
        #expect(arguments?["secrets"] == ["key": "hunter22"])
        #expect(arguments?["name"] == "shelf" && arguments?["moviesync"] == "0.3.0" && arguments?["language"] == "en")
        #expect(
            session.read(printed(hello()), at: 5) == [
                .greeted(declared), .send(PluginLine.call(2, "catalog.search", with: ["query": "alien"])),
            ])
    }

    @Test func `a call is answered by items, progress and one end`() {
        var session = greeted()
        _ = session.call(9, "catalog.search", with: [:], at: 0)
        #expect(
            session.read(
                printed(
                    #"{"id":2,"item":{"key":"1"}}"#, #"{"id":2,"progress":{"done":1}}"#, #"{"id":2,"ok":{"next":null}}"#
                ),
                at: 1) == [
                    .answer(9, .item(["key": "1"])), .answer(9, .progress(["done": 1])),
                    .answer(9, .ok(["next": nil])),
                ])
        #expect(session.isIdle && session.calls == 0)
    }

    @Test func `no more calls are in flight than the plugin takes`() {
        var session = greeted(concurrency: 2)
        let sent = (1...3).flatMap { session.call(UInt64($0), "c", with: [:], at: 0) }
        #expect(sent == [.send(PluginLine.call(2, "c", with: [:])), .send(PluginLine.call(3, "c", with: [:]))])
        #expect(session.calls == 3)
        #expect(
            session.read(printed(#"{"id":3,"ok":{}}"#), at: 0) == [
                .answer(2, .ok([:])), .send(PluginLine.call(4, "c", with: [:])),
            ])
    }

    @Test func `too many calls are refused, and one that is too long`() {
        var limits = PluginLimits()
        limits.waiting = 1
        limits.line = 200
        var session = greeted(limits)
        _ = session.call(1, "c", with: [:], at: 0)
        _ = session.call(2, "c", with: .string(String(repeating: "x", count: 200)), at: 0)
        #expect(
            session.call(3, "c", with: [:], at: 0) == [
                .failed(3, PluginError(.unavailable, "too many calls wait for the plugin: try later"))
            ])
        #expect(
            session.read(printed(#"{"id":2,"ok":{}}"#), at: 0).last
                == .failed(2, PluginError(.refused, "the call has 230 bytes: too many")))
    }

    @Test func `a plugin that is greeted again hears the new settings, and calls wait meanwhile`() {
        var session = greeted()
        guard case .send(let line)? = session.greet(shelf, at: 50).first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(line.message["id"] == 2)
        #expect(session.call(1, "c", with: [:], at: 50) == [])
        #expect(session.wakeAt == 10_050)
        #expect(session.read(printed(hello(2)), at: 60).last == .send(PluginLine.call(3, "c", with: [:])))
    }

    @Test func `a plugin that is greeted again in the middle of a call has its ten seconds after that`() {
        var session = greeted()
        _ = session.call(1, "c", with: [:], at: 0)
        _ = session.greet(shelf, at: 2_000)
        #expect(session.wakeAt == 30_000)
        #expect(session.time(at: 15_000) == [])
        #expect(session.read(printed(#"{"id":2,"ok":{}}"#), at: 15_000) == [.answer(1, .ok([:]))])
        #expect(session.wakeAt == 25_000)
        #expect(session.time(at: 25_000) == [.end(PluginBreach(.noHello, "it did not answer hello within 10 s"))])
    }

    @Test func `a late hello ends the connection`() {
        var session = PluginSession(at: 1_000)
        _ = session.greet(shelf, at: 3_000)
        #expect(session.wakeAt == 11_000)
        #expect(session.time(at: 10_999) == [])
        #expect(session.time(at: 11_000) == [.end(PluginBreach(.noHello, "it did not answer hello within 10 s"))])
        #expect(session.read(printed(hello()), at: 11_001) == [])
    }

    @Test func `a call without a line for too long fails, is cancelled, and must end`() {
        var session = greeted()
        _ = session.call(1, "c", with: [:], at: 0)
        #expect(session.wakeAt == 30_000)
        _ = session.read(printed(#"{"id":2,"progress":{}}"#), at: 20_000)
        #expect(session.time(at: 49_999) == [])
        #expect(
            session.time(at: 50_000) == [
                .failed(1, PluginError(.unavailable, "the plugin gave no line for 30 s")), .send(PluginLine.cancel(2)),
            ])
        #expect(session.read(printed(#"{"id":2,"item":{}}"#), at: 51_000) == [])
        #expect(session.wakeAt == 55_000)
        #expect(session.time(at: 55_000) == [.end(PluginBreach(.hangs, "it did not end a cancelled call within 5 s"))])
    }

    @Test func `progress moves only the first of the two limits of a call`() {
        var session = greeted()
        _ = session.call(1, "c", with: [:], at: 0)
        for second in stride(from: 20_000, through: 100_000, by: 20_000) {
            _ = session.read(printed(#"{"id":2,"progress":{}}"#), at: UInt64(second))
        }
        #expect(session.wakeAt == 120_000)
        #expect(
            session.time(at: 120_000).first
                == .failed(1, PluginError(.unavailable, "the plugin gave no end within 120 s")))
    }

    @Test func `a call that waits for too long fails`() {
        var session = greeted()
        _ = session.call(1, "c", with: [:], at: 0)
        _ = session.call(2, "c", with: [:], at: 10)
        _ = session.read(printed(#"{"id":2,"progress":{}}"#), at: 100_000)
        _ = session.time(at: 120_000)
        #expect(session.time(at: 120_010) == [.failed(2, PluginError(.unavailable, "the plugin was busy for 120 s"))])
    }

    @Test func `what a cancelled call still prints is dropped, and its place is free when it ends`() {
        var session = greeted()
        _ = session.call(1, "c", with: [:], at: 0)
        _ = session.call(2, "c", with: [:], at: 0)
        _ = session.call(3, "c", with: [:], at: 0)
        #expect(session.cancel(1, at: 1) == [.send(PluginLine.cancel(2))])
        #expect(session.cancel(1, at: 1) == [])
        #expect(session.cancel(2, at: 1) == [])
        #expect(session.calls == 1 && !session.isIdle)
        #expect(session.read(printed(#"{"id":2,"item":{}}"#), at: 2) == [])
        #expect(
            session.read(printed(#"{"id":2,"error":{"code":"cancelled"}}"#), at: 3) == [
                .send(PluginLine.call(3, "c", with: [:]))
            ])
    }

    @Test(arguments: [
        (#"{"id":99,"ok":{}}"#, PluginBreach.Code.unknownID), (#"{"id":0,"item":{}}"#, .unknownID),
        ("Traceback (most recent call last)", .notJSON), (#"{"id":2,"okay":1}"#, .notAnAnswer),
    ])
    func `a plugin that lies is ended`(_ line: String, _ code: PluginBreach.Code) {
        var session = greeted()
        _ = session.call(1, "c", with: [:], at: 0)
        guard case .end(let breach)? = session.read(printed(line, #"{"id":2,"ok":{}}"#), at: 1).first else {
            Issue.record("it was not ended")
            return
        }
        #expect(breach.code == code)
        #expect(session.close("it was ended") == [.failed(1, PluginError(.unavailable, "it was ended"))])
    }

    @Test func `a few lines for calls that have ended are dropped, many end the plugin`() {
        var limits = PluginLimits()
        limits.strays = 2
        var session = greeted(limits)
        let stray = #"{"id":1,"item":{}}"#
        #expect(session.read(printed(stray, stray), at: 0) == [])
        #expect(
            session.read(printed(stray), at: 0) == [
                .end(PluginBreach(.strayLines, "it printed 3 lines that nobody waits for"))
            ])
    }

    @Test func `items of hello are lines that nobody waits for`() {
        var limits = PluginLimits()
        limits.strays = 2
        var session = PluginSession(limits: limits, at: 0)
        _ = session.greet(shelf, at: 0)
        let item = #"{"id":1,"item":{}}"#
        #expect(session.read(printed(item, #"{"id":1,"progress":{}}"#), at: 0) == [])
        #expect(
            session.read(printed(item, hello()), at: 0) == [
                .end(PluginBreach(.strayLines, "it printed 3 lines that nobody waits for"))
            ])
    }

    @Test func `an answer without end is cut off`() {
        var limits = PluginLimits()
        limits.items = 2
        var session = greeted(limits)
        _ = session.call(1, "c", with: [:], at: 0)
        let item = #"{"id":2,"item":{}}"#
        #expect(
            session.read(printed(item, item, item, item), at: 0) == [
                .answer(1, .item([:])), .answer(1, .item([:])),
                .failed(1, PluginError(.internal, "the answer has more than 2 items")), .send(PluginLine.cancel(2)),
            ])
    }

    @Test(arguments: [
        (#"{"id":1,"error":{"code":"protocol","message":"2 only"}}"#, PluginError(.protocol, "2 only")),
        (
            #"{"id":1,"error":{"code":"settings","message":"key hunter22 is no key"}}"#,
            PluginError(.settings, "key ••• is no key")
        ),
        (#"{"id":1,"ok":{"disable":"no key is set"}}"#, PluginError(.refused, "no key is set")),
        (
            #"{"id":1,"ok":{"protocol":2}}"#,
            PluginError(.protocol, "it speaks 2 of the protocol, and this version of moviesync speaks 1")
        ),
        (
            #"{"id":1,"ok":{"protocol":1,"requires":["batches"]}}"#,
            PluginError(.protocol, #"it needs "batches", which this version of moviesync does not have"#)
        ),
        (#"{"id":1,"ok":7}"#, PluginError(.protocol, "it answers hello with a number, not with an object")),
    ])
    func `who does not fit together is told apart from who fails`(_ line: String, _ error: PluginError) {
        var session = PluginSession(at: 0)
        _ = session.greet(shelf, at: 0)
        #expect(session.read(printed(line), at: 0) == [.refused(error)])
    }

    @Test func `a secret stays out of what a plugin says of its failures`() {
        var session = greeted()
        _ = session.call(1, "c", with: [:], at: 0)
        #expect(
            session.read(printed(#"{"id":2,"error":{"code":"unauthorized","message":"hunter22 is refused"}}"#), at: 0)
                == [
                    .failed(1, PluginError(.unauthorized, "••• is refused"))
                ])
        guard case .end(let breach)? = session.read(printed("my key is hunter22"), at: 0).first else {
            Issue.record("it was not ended")
            return
        }
        #expect(breach.message.contains("my key is •••"))
    }
}
