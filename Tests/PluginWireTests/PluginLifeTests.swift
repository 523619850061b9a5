import PluginWire
import SyncModel
import Testing

@Suite struct PluginLifeTests {
    /// A life whose plugin has answered `hello` at `now`.
    private func running(_ provides: String = #"{"catalog":{}}"#, at now: UInt64 = 0) -> PluginLife {
        var life = PluginLife()
        #expect(life.start(at: now) == [.open])
        _ = life.opened(shelf, at: now)
        _ = life.read(printed(hello(provides: provides)), at: now)
        return life
    }

    @Test func `it is started once to learn what it provides, and ends when nobody needs it`() {
        var life = running()
        #expect(life.phase == .running(since: 0))
        #expect(life.declaration?.name == "shelf")
        #expect(life.wakeAt == 60_000)
        #expect(life.time(at: 59_999) == [])
        #expect(life.time(at: 60_000) == [.close])
        #expect(life.closed(.exited(0), at: 60_010) == [.event(.ended(.exited(0)))])
        #expect(life.phase == .idle && life.wakeAt == nil && life.counts.failures == 0)
    }

    @Test func `what provides more than single calls stays`() {
        var life = running(#"{"catalog":{},"hook":{}}"#)
        #expect(life.wakeAt == nil)
        #expect(life.outputEnded() == [.close])
        #expect(life.closed(.exited(0), at: 5) == [.event(.failed("it ended with exit code 0", pause: 1_000))])
        #expect(life.wakeAt == 1_005)
        #expect(life.time(at: 1_005) == [.open])
    }

    @Test func `a call starts it, and moves the end of its idle time`() {
        var life = running()
        _ = life.time(at: 60_000)
        _ = life.closed(.exited(0), at: 60_010)
        #expect(life.call(1, "c", with: [:], at: 70_000) == [.open])
        _ = life.opened(shelf, at: 70_000)
        #expect(
            life.read(printed(hello()), at: 70_100) == [
                .event(.started(declared)), .send(PluginLine.call(2, "c", with: [:])),
            ])
        #expect(life.read(printed(#"{"id":2,"ok":{}}"#), at: 80_000) == [.answer(1, .ok([:]))])
        #expect(life.wakeAt == 140_000)
        #expect(life.counts.calls == 1 && life.counts.starts == 2)
    }

    @Test func `a call that comes while it ends is made after that`() {
        var life = running()
        _ = life.time(at: 60_000)
        #expect(life.call(1, "c", with: [:], at: 60_001) == [])
        #expect(life.calls == 1)
        #expect(life.closed(.exited(0), at: 60_010) == [.event(.ended(.exited(0))), .open])
        _ = life.opened(shelf, at: 60_010)
        #expect(life.read(printed(hello()), at: 60_020).last == .send(PluginLine.call(2, "c", with: [:])))
    }

    @Test func `a call that was in flight fails with the plugin, and the next one at once`() {
        var life = running()
        _ = life.call(1, "c", with: [:], at: 0)
        #expect(life.outputEnded() == [.close])
        #expect(
            life.closed(.signaled(9), at: 10) == [
                .failed(1, PluginError(.unavailable, "it was ended by signal 9")),
                .event(.failed("it was ended by signal 9", pause: 1_000)),
            ])
        #expect(life.phase == .resting(1_010))
        #expect(
            life.call(2, "c", with: [:], at: 510) == [
                .failed(2, PluginError(.unavailable, "it was ended by signal 9", retryAfter: 0.5))
            ])
        #expect(life.time(at: 1_010) == [] && life.phase == .idle)
        #expect(life.counts.failedCalls == 2)
    }

    @Test func `an end that nobody asked for is fine where nothing was open`() {
        var life = running()
        #expect(life.outputEnded() == [.close])
        #expect(life.closed(.closed, at: 10) == [.event(.ended(.closed))])
        #expect(life.phase == .idle)
        var broken = running()
        _ = broken.outputEnded()
        #expect(broken.closed(.exited(1), at: 10) == [.event(.failed("it ended with exit code 1", pause: 1_000))])
    }

    /// Lets it fail before it is greeted.
    private func fail(_ life: inout PluginLife, at now: UInt64) -> [PluginLife.Effect] {
        life.closed(.unopened("there is no such program"), at: now)
    }

    @Test func `it rests longer after each failure, and is down after five in five minutes`() {
        var life = PluginLife()
        _ = life.start(at: 0)
        var now: UInt64 = 0
        for pause: UInt64 in [1_000, 2_000, 4_000, 8_000] {
            #expect(
                fail(&life, at: now) == [
                    .event(.failed("it can't be started: there is no such program", pause: pause))
                ])
            now += pause
            #expect(life.time(at: now) == [.open])
        }
        #expect(fail(&life, at: now) == [.event(.down("it can't be started: there is no such program"))])
        #expect(life.phase == .down && life.wakeAt == nil)
        #expect(
            life.call(1, "c", with: [:], at: now) == [
                .failed(1, PluginError(.unavailable, "it can't be started: there is no such program"))
            ])
        #expect(life.restart(at: now) == [.open])
        #expect(
            fail(&life, at: now) == [
                .event(.failed("it can't be started: there is no such program", pause: 1_000))
            ])
    }

    @Test func `failures far apart never end it, and ten good minutes make up for all`() {
        var backoff = PluginBackoff()
        var pauses: [UInt64?] = []
        for turn in 0..<12 { pauses.append(backoff.failed(at: UInt64(turn) * 100_000, lived: nil)) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { $0 * 1_000 })
        #expect(backoff.failed(at: 2_000_000, lived: 599_999) == 300_000)
        #expect(backoff.failed(at: 3_000_000, lived: 600_000) == 1_000)
    }

    @Test func `who breaks the protocol is ended, and the reason is that`() {
        var life = running()
        #expect(life.read(printed("Hello!"), at: 1) == [.cut])
        #expect(life.read(printed("Hello!"), at: 1) == [])
        let closed = life.closed(.exited(0), at: 2)
        guard case .event(.failed(let reason, _))? = closed.first else {
            Issue.record("it has not failed")
            return
        }
        #expect(reason.hasPrefix(#"it printed "Hello!", which is no JSON object"#))
        #expect(life.reason == reason)
    }

    @Test func `who does not want to work is not started again before its configuration changes`() {
        var life = PluginLife()
        _ = life.start(at: 0)
        _ = life.opened(shelf, at: 0)
        #expect(
            life.read(printed(#"{"id":1,"ok":{"disable":"no key is set"}}"#), at: 1) == [
                .event(.refused("it does not want to work: no key is set")), .close,
            ])
        _ = life.closed(.exited(0), at: 2)
        #expect(life.phase == .refused && life.wakeAt == nil && life.counts.failures == 0)
        #expect(
            life.call(1, "c", with: [:], at: 3) == [
                .failed(1, PluginError(.unavailable, "it does not want to work: no key is set"))
            ])
        #expect(life.reconfigured(at: 4) == [.open])
    }

    @Test func `a new configuration is told to who runs, and kept for who does not`() {
        var life = running()
        #expect(life.reconfigured(at: 1) == [.greet])
        #expect(life.opened(shelf, at: 1).count == 1)
        #expect(life.read(printed(hello(2)), at: 2) == [])
        _ = life.time(at: 60_002)
        _ = life.closed(.exited(0), at: 60_003)
        #expect(life.reconfigured(at: 60_004) == [])
    }

    @Test func `a search that somebody gave up and that does not end is no failure, and what waits is asked anew`() {
        var life = running()
        _ = life.call(1, "catalog.search", with: [:], at: 0)
        _ = life.call(2, "catalog.search", with: [:], at: 0)
        _ = life.cancel(1, at: 2)
        #expect(life.time(at: 5_002) == [.cut])
        #expect(life.calls == 1)
        #expect(life.closed(.signaled(9), at: 5_010) == [.event(.ended(.signaled(9))), .open])
        #expect(life.counts.failures == 0 && life.counts.failedCalls == 0 && life.reason == nil)
        _ = life.opened(shelf, at: 5_010)
        #expect(life.read(printed(hello()), at: 5_020).last == .send(PluginLine.call(2, "catalog.search", with: [:])))
    }

    @Test(arguments: ["check", "hook.event"]) func `any other call that is cancelled has to end`(_ name: String) {
        var life = running(#"{"catalog":{},"check":{}}"#)
        _ = life.call(1, name, with: [:], at: 0)
        _ = life.cancel(1, at: 2)
        #expect(life.time(at: 5_002) == [.cut])
        let reason = "it did not end a cancelled call within 5 s"
        #expect(life.closed(.signaled(9), at: 5_010) == [.event(.failed(reason, pause: 1_000))])
    }

    @Test func `a restart ends it and starts it again`() {
        var life = running()
        _ = life.call(1, "c", with: [:], at: 0)
        #expect(life.restart(at: 1) == [.close])
        #expect(
            life.closed(.exited(0), at: 2) == [
                .failed(1, PluginError(.unavailable, "the plugin was ended")), .event(.ended(.exited(0))), .open,
            ])
    }

    @Test func `once stopped it stays so`() {
        var life = running()
        #expect(life.stop() == [.close])
        #expect(life.restart(at: 1) == [])
        #expect(life.closed(.signaled(15), at: 2) == [.event(.ended(.signaled(15)))])
        #expect(life.phase == .stopped && life.start(at: 3) == [] && life.restart(at: 3) == [])
        #expect(life.call(1, "c", with: [:], at: 3).count == 1)
        var idle = PluginLife()
        #expect(idle.stop() == [] && idle.phase == .stopped)
    }
}
