internal import ControlAPI
internal import SyncModel

/// What waits for a person: holds, the quarantine, and conflicts that can be decided otherwise.
struct AttentionPage: Sendable {
    let reader: Reader
    let holds: [HoldReply]
    let quarantine: [QuarantineReply]
    let conflicts: [ConflictReply]
    /// What leads to the next pages of these lists.
    let next: (quarantine: String?, conflicts: String?)

    var page: WebPage {
        WebPage(
            "Attention", place: "/attention",
            [.init(id: "attention", listens: [.attention], template: .attention, model: model)])
    }

    private var model: Model {
        reader.model.with([
            "holds": .list(holds.map(hold)), "noHolds": .flag(holds.isEmpty),
            "quarantine": .list(quarantine.map(item)), "noQuarantine": .flag(quarantine.isEmpty),
            "conflicts": .list(conflicts.map(conflict)), "noConflicts": .flag(conflicts.isEmpty),
            "moreQuarantine": .maybe(next.quarantine.map { "/attention?quarantine=\(PercentEncoding.encoded($0))" }),
            "moreConflicts": .maybe(next.conflicts.map { "/attention?conflicts=\(PercentEncoding.encoded($0))" }),
        ])
    }

    private func hold(_ hold: HoldReply) -> Model {
        let records = hold.records ?? []
        let count = hold.count ?? records.count
        return [
            "id": .text("\(hold.id)"), "kind": .text(hold.kind), "reason": .text(hold.reason),
            "since": Shown.moment(hold.since), "canDecide": .flag(hold.approve != nil || hold.reject != nil),
            "approve": .maybe(hold.approve), "reject": .maybe(hold.reject), "hasRecords": .flag(!records.isEmpty),
            "count": .text(Shown.count(count, "record")),
            "rest": .maybe(
                count > records.count ? "and \((count - records.count).grouped) more" : nil),
            "records": .list(
                records.map {
                    [
                        "title": .text($0.title.isEmpty ? $0.id : $0.title), "approve": .text($0.what.approve),
                        "reject": .text($0.what.reject),
                    ]
                }),
        ]
    }

    private func item(_ item: QuarantineReply) -> Model {
        let place = item.file.map { "\($0) at byte \(item.offset ?? 0)" }
        let record = [item.collection, item.record].compactMap(\.self).joined(separator: "/")
        return [
            "id": .text("\(item.id)"), "code": .text(item.code), "reason": .text(item.reason),
            "place": .text(place ?? "\(item.source.rawValue) \(record)"), "since": Shown.moment(item.since),
            "attempts": .text("\(item.attempts)"),
        ]
    }

    private func conflict(_ conflict: ConflictReply) -> Model {
        let film = conflict.collection == Responder.movies ? "/film/\(conflict.record)" : nil
        let names =
            conflict.fields.isEmpty
            ? Set(conflict.winner.fields.keys).union(conflict.loser.fields.keys).sorted() : conflict.fields
        return [
            "id": .text("\(conflict.id)"), "record": .text("\(conflict.collection)/\(conflict.record)"),
            "film": .maybe(film), "at": Shown.moment(conflict.at), "rule": .text(conflict.rule),
            "isRestored": .flag(conflict.restored),
            "fields": .list(
                names.map { name in
                    [
                        "name": .text(name), "winner": .text(side(conflict.winner, name)),
                        "loser": .text(side(conflict.loser, name)),
                    ]
                }),
        ]
    }

    private func side(_ side: ConflictReply.Side, _ name: String) -> String {
        side.deleted ? "deleted" : side.fields[name].map { Shown.value($0) } ?? "nothing"
    }
}
