internal import ControlAPI
internal import LocalStore
internal import SyncCore
internal import SyncModel

extension HoldReply {
    init(_ hold: Hold) {
        self.init(
            id: hold.number, kind: hold.word, collection: hold.collection?.name, direction: hold.direction,
            reason: hold.reason, since: Moment(milliseconds: hold.since),
            approve: hold.kind?.rule.approval(of: hold), reject: hold.kind?.rule.rejection(of: hold))
        person = hold.person
    }
}
