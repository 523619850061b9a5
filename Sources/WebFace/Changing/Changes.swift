internal import ControlAPI
internal import SyncModel

/// What forms change: each is an edit by the journal, or a decision by the same call as the control socket's.
struct Changes: Sendable {
    let daemon: DaemonServices
    let editor: Editor

    /// What to say, and where to go on.
    struct Done: Hashable, Sendable {
        var words: String
        var page: String
    }

    var service: any ControlService { daemon.service }

    /// Carries a form out; nil where there is none at that path.
    ///
    /// - Throws: ``ControlError`` where it can't be done.
    func carryOut(_ path: [String], _ form: Form) async throws -> Done? {
        switch (path.first, path.count) {
        case ("films", 1): try await add(form)
        case ("film", 3...4): try await change(path[1], path[2...].joined(separator: "/"), form)
        case ("favourites", 2) where path[1] == "remove": try await removeFavourite(form)
        case ("search", 2) where path[1] == "save": try await save(form)
        case ("search", 2) where path[1] == "more": try await more(form)
        case ("holds", 3), ("quarantine", 3), ("conflicts", 3): try await decide(path[0], path[1], path[2])
        default: nil
        }
    }

    private func schema(_ collection: String) throws(ControlError) -> CollectionSchema {
        guard let schema = service.schemas().first(where: { $0.name == collection }) else {
            throw ControlError.unknownCollection(collection)
        }
        return schema
    }

    /// A new record, as its collection wants it.
    func creation(of fields: [String: JSONValue], in collection: String) throws(ControlError) -> EditLine {
        let schema = try schema(collection)
        do throws(Defect) {
            return try EditLine(creating: fields, in: schema)
        } catch {
            throw ControlError.badRequest("badEdit", error.message)
        }
    }

    private func add(_ form: Form) async throws -> Done {
        guard let title = form.text("title") else {
            throw ControlError.badRequest("noTitle", "a film needs a title")
        }
        var fields: [String: JSONValue] = ["hasWatched": .bool(form.flag("watched"))]
        fields[try schema(Responder.movies).titleField] = .string(title)
        if let year = try form.number("year", Changes.years) { fields["year"] = .integer(year) }
        let edit = try creation(of: fields, in: Responder.movies)
        return Done(words: try await editor.append([edit], "Added \(title)"), page: form.back(or: "/"))
    }

    static let years: ClosedRange<Int64> = 1800...2200

    private func change(_ id: String, _ what: String, _ form: Form) async throws -> Done? {
        guard Changes.ofFilms.contains(what) else { return nil }
        let film = try await service.record(id, in: Responder.movies)
        guard !film.deleted else {
            throw ControlError(409, "deleted", "this film is deleted meanwhile")
        }
        let words =
            switch what {
            case "watched": try await watch(film, form)
            case "edit": try await edit(film, form)
            case "delete": try await delete(film)
            case "favourite": try await favourite(film, form)
            case "review": try await review(film, form)
            case "review/delete": try await deleteReview(film, form)
            default: try await vote(film, form)
            }
        return Done(words: words, page: form.back(or: what == "delete" ? "/" : "/film/\(film.id)"))
    }

    private static let ofFilms: Set = ["watched", "edit", "delete", "favourite", "review", "review/delete", "vote"]

    /// What people call a film.
    func title(of film: RecordReply) -> String {
        let field = service.schemas().first { $0.name == film.collection }?.titleField ?? "title"
        return film.fields[field]?.text ?? film.id
    }

    private func watch(_ film: RecordReply, _ form: Form) async throws -> String {
        let value = form.flag("value")
        let edit = EditLine(.update, in: film.collection, film.id, fields: ["hasWatched": .bool(value)])
        return try await editor.append([edit], "\(title(of: film)) is marked as \(value ? "watched" : "unwatched")")
    }

    private func edit(_ film: RecordReply, _ form: Form) async throws -> String {
        guard let title = form.text("title") else {
            throw ControlError.badRequest("noTitle", "a film needs a title")
        }
        var fields: [String: JSONValue] = [:]
        let name = try schema(film.collection).titleField
        if form.isChanged("title", from: film.fields[name]?.text) { fields[name] = .string(title) }
        if form.isChanged("year", from: film.fields["year"]?.whole.map(String.init)) {
            let year = try form.number("year", Changes.years)
            fields.updateValue(year.map { .integer($0) } ?? .null, forKey: "year")
        }
        guard !fields.isEmpty else { return "Nothing was changed." }
        return try await editor.append(
            [EditLine(.update, in: film.collection, film.id, fields: fields)], "Changed \(title)")
    }

    private func delete(_ film: RecordReply) async throws -> String {
        try await editor.append([EditLine(.delete, in: film.collection, film.id)], "Deleted \(title(of: film))")
    }
}
