internal import ControlAPI
internal import SyncModel

extension Changes {
    /// What only a person can decide; nil for a decision that there is not.
    func decide(_ list: String, _ number: String, _ decision: String) async throws -> Done? {
        guard let id = Int64(number), id > 0 else {
            throw ControlError.badRequest("badID", "'\(number)' is not a number")
        }
        let words: String
        switch (list, decision) {
        case ("holds", "approve"):
            words = said(try await service.approve(hold: id, dryRun: false), "Approved hold \(id)")
        case ("holds", "reject"): words = said(try await service.reject(hold: id, dryRun: false), "Rejected hold \(id)")
        case ("quarantine", "retry"):
            try await service.retryQuarantined(id)
            words = try await triedAgain(id)
        case ("quarantine", "drop"):
            try await service.dropQuarantined(id)
            words = "Item \(id) of the quarantine is given up."
        case ("conflicts", "restore"):
            try await service.restoreConflict(id)
            words = "What lost in conflict \(id) is written back."
        default: return nil
        }
        return Done(words: words, page: "/attention")
    }

    /// What has become of an item that was tried again: a line of the journal at once, anything else when it is read or sent.
    private func triedAgain(_ id: Int64) async throws -> String {
        let item = try await service.quarantine(after: String(id - 1), limit: 1).items.first { $0.id == id }
        guard let item else { return "Item \(id) was tried again, and is not in quarantine any more." }
        guard item.source == .journal else { return "Item \(id) of the quarantine is tried again." }
        return "Item \(id) stays in quarantine: \(item.code): \(item.reason)."
    }

    private func said(_ reply: DecisionReply, _ done: String) -> String { "\(done): \(reply.effect)." }

    /// Saves the ticked rows of a search.
    func save(_ form: Form) async throws -> Done {
        guard let set = form.text("set") else { throw ControlError.badRequest("noSet", "no search is named") }
        let rows = form.fields.all("pick").compactMap { Int($0) }
        guard !rows.isEmpty else { throw ControlError.badRequest("noPick", "tick what is to be saved first") }
        let reply = try await daemon.catalogs.picks(from: set, CatalogPickOrder(pick: rows), user: nil)
        let schema = service.schemas().first { $0.name == reply.collection }
        guard let schema else { throw ControlError.unknownCollection(reply.collection) }
        let own: [String: JSONValue] =
            schema.defaults["hasWatched"] != nil && form.flag("watched") ? ["hasWatched": true] : [:]
        let new = reply.picks.filter { $0.state == .new }
        let edits = new.map { pick in
            EditLine(
                .create, in: schema.name, pick.id,
                fields: schema.defaults.merging(pick.fields) { $1 }.merging(own) { $1 })
        }
        let already = reply.picks.count - new.count
        let rest = already > 0 ? ", \(already) there already" : ""
        let words = try await editor.append(edits) { "Saved \($0)" + rest }
        return Done(words: edits.isEmpty ? words + "." : words, page: "/search?set=\(PercentEncoding.encoded(set))")
    }

    /// Fetches the next page of a search.
    func more(_ form: Form) async throws -> Done {
        guard let set = form.text("set") else { throw ControlError.badRequest("noSet", "no search is named") }
        let reply = try await daemon.catalogs.more(of: set, again: false, user: nil)
        return Done(
            words: "\(reply.held) found so far.", page: "/search?set=\(PercentEncoding.encoded(reply.set))")
    }
}
