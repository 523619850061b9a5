import ControlAPI
import PluginKit
import SyncModel
import Testing

@testable import CatalogDesk

struct LiveSearchTests {
    private func rows(_ keys: String...) -> [CatalogRowReply] {
        keys.enumerated().map {
            CatalogRowReply(
                number: $0 + 1, key: $1, fields: ["title": .string($1)], ids: [:], record: nil, picture: nil)
        }
    }

    /// The rows that somebody sees who applies the changes.
    private func apply(_ effects: [LiveSearch.Effect], to shown: inout [String]) -> [CatalogLiveReply] {
        effects.compactMap { effect in
            guard case .show(let reply) = effect else { return nil }
            for change in reply.changes {
                if let row = change.insert { shown.insert(row.key, at: change.at) } else { shown.remove(at: change.at) }
            }
            #expect(shown.count == reply.count)
            return reply
        }
    }

    @Test func `only the last of what is typed quickly is asked for`() {
        var search = LiveSearch(id: "s", home: nil)
        _ = search.take(.begun)
        #expect(search.take(.typed("a")) == [.pause(turn: 2)])
        #expect(search.take(.typed("al")) == [.pause(turn: 3)])
        #expect(search.take(.typed(" al ")) == [], "the same text")
        #expect(search.take(.due(turn: 2)) == [])
        #expect(search.take(.due(turn: 3)) == [.ask(turn: 3, .search("al"), anew: false)])
        #expect(search.take(.due(turn: 3)) == [])
    }

    @Test func `an overtaken answer is never shown`() {
        var search = LiveSearch(id: "s", home: "now-playing")
        var shown: [String] = []
        #expect(search.take(.begun) == [.ask(turn: 1, .list("now-playing"), anew: false)])
        let home = apply(search.take(.answered(turn: 1, .success(rows("1", "2", "3")))), to: &shown)
        #expect(home.map(\.step) == [1] && shown == ["1", "2", "3"])
        _ = search.take(.typed("a"))
        _ = search.take(.due(turn: 2))
        let overtaken = search.take(.typed("al"))
        #expect(overtaken.first == .abandon && overtaken.last == .pause(turn: 3))
        #expect(apply(overtaken, to: &shown).map(\.state) == [.superseded])
        #expect(search.take(.answered(turn: 2, .success(rows("9")))) == [])
        _ = search.take(.due(turn: 3))
        let al = apply(search.take(.answered(turn: 3, .success(rows("3", "4", "1")))), to: &shown)
        #expect(al.first?.query == "al" && al.first?.state == .shown && shown == ["3", "4", "1"])
    }

    @Test func `a failure leaves what is shown, cancelling reads the list anew`() {
        var search = LiveSearch(id: "s", home: "now-playing")
        var shown: [String] = []
        _ = search.take(.begun)
        _ = apply(search.take(.answered(turn: 1, .success(rows("1")))), to: &shown)
        _ = search.take(.typed("x"))
        _ = search.take(.due(turn: 2))
        let failed = apply(
            search.take(.answered(turn: 2, .failure(ControlError(503, "unavailable", "down")))), to: &shown)
        #expect(failed.map(\.reason) == ["down"] && failed.map(\.state) == [.failed] && shown == ["1"])
        #expect(search.take(.cancelled) == [.ask(turn: 3, .list("now-playing"), anew: true)])
        let back = apply(search.take(.answered(turn: 3, .success(rows("1", "2")))), to: &shown)
        #expect(back.first?.query == "" && shown == ["1", "2"])
        #expect(back.first?.changes.count == 1, "only the difference")
    }
}
