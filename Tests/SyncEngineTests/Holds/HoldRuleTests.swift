import ControlAPI
import SyncCore
import SyncModel
import Testing

@testable import SyncEngine

@Suite struct HoldRuleTests {
    @Test(arguments: HoldKind.allCases, Direction.allCases)
    func `every kind says what each answer does`(_ kind: HoldKind, _ direction: Direction) {
        let reply = HoldReply(Hold(kind, direction, reason: "a reason", since: 0))
        #expect(reply.kind == kind.rawValue)
        #expect(reply.approve?.first?.isLowercase == true)
        #expect(reply.reject?.first?.isLowercase == true)
        #expect(reply.approve != reply.reject)
    }

    @Test func `only an edit from the future ends by itself`() {
        #expect(HoldKind.allCases.filter(\.rule.expires) == [.futureEdit])
    }

    @Test func `a kind that another version raised is shown and can not be decided`() {
        var hold = Hold(.massDelete, .pull, reason: "a reason", since: 0)
        hold.number = 3
        hold.word = "fromTomorrow"
        let reply = HoldReply(hold)
        #expect(reply.kind == "fromTomorrow" && reply.approve == nil && reply.reject == nil)
        #expect(throws: ControlError.unknownHoldKind("fromTomorrow", ofHold: 3)) { try hold.rule() }
    }
}
