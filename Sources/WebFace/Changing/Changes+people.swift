internal import ControlAPI
internal import SyncModel

extension Changes {
    func favourite(_ film: RecordReply, _ form: Form) async throws -> String {
        let (keys, name) = (PersonFields.films(film), title(of: film))
        let own = keys.map { "\(form.person)/\($0)" }
        guard form.flag("value") else {
            return try await delete(
                own, in: "favourites", by: form.person,
                "\(name) is no favourite of \(form.person) any more",
                missing: "\(name) is no favourite of \(form.person)")
        }
        let there = try await service.record(withFirstOf: own, in: "favourites")
        let fields = PersonFields.favourite(
            of: form.person, film: there?.fields["film"]?.text ?? keys[0], title: name, at: editor.now)
        return try await editor.append(
            [try creation(of: fields, in: "favourites").by(form.person)], "\(name) is a favourite of \(form.person)")
    }

    func removeFavourite(_ form: Form) async throws -> Done {
        guard let film = form.text("film") else { throw ControlError.badRequest("noFilm", "no film is named") }
        let words = try await delete(
            ["\(form.person)/\(film)"], in: "favourites", by: form.person,
            "It is no favourite of \(form.person) any more",
            missing: "it is no favourite of \(form.person)")
        return Done(words: words, page: "/favourites")
    }

    func review(_ film: RecordReply, _ form: Form) async throws -> String {
        let (keys, name) = (PersonFields.films(film), title(of: film))
        guard let text = form.text("text") else {
            throw ControlError.badRequest("noText", "a review needs a text")
        }
        guard !text.isLonger(than: Changes.longestReview) else {
            throw ControlError.badRequest("tooLong", "a review has at most 5,000 characters")
        }
        let rating = try form.number("rating", 1...10)
        if let own = try await service.record(withFirstOf: keys.map { "\($0)/\(form.person)" }, in: "reviews") {
            let known = own.fields
            let isText = form.isChanged("text", from: known["text"]?.text)
            let isRating = form.isChanged("rating", from: known["rating"]?.whole.map(String.init))
            guard isText || isRating else { return "Nothing was changed." }
            var fields = PersonFields.edit(text: isText ? text : nil, rating: nil, at: editor.now)
            if isRating { fields.updateValue(rating.map { .integer($0) } ?? .null, forKey: "rating") }
            let edit = EditLine(.update, in: "reviews", own.id, fields: fields)
            return try await editor.append([edit.by(form.person)], "Changed the review of \(name)")
        }
        let fields = PersonFields.review(
            of: keys[0], by: form.person, text: text, rating: rating, name: form.text("name"), at: editor.now)
        return try await editor.append([try creation(of: fields, in: "reviews").by(form.person)], "Reviewed \(name)")
    }

    private static let longestReview = 5_000

    func deleteReview(_ film: RecordReply, _ form: Form) async throws -> String {
        let name = title(of: film)
        return try await delete(
            PersonFields.films(film).map { "\($0)/\(form.person)" }, in: "reviews", by: form.person,
            "Deleted the review of \(name)",
            missing: "\(form.person) has no review of \(name)")
    }

    func vote(_ film: RecordReply, _ form: Form) async throws -> String {
        let keys = PersonFields.films(film)
        guard let author = form.text("author"), let vote = form.text("vote") else {
            throw ControlError.badRequest("noVote", "a vote needs a review and what is thought of it")
        }
        guard author != form.person else {
            throw ControlError.badRequest("ownReview", "nobody votes on an own review")
        }
        if vote == "clear" {
            return try await delete(
                keys.map { "\($0)/\(author)/\(form.person)" }, in: "votes", by: form.person, "Took back the vote",
                missing: "\(form.person) has no vote there")
        }
        guard let review = try await service.record(withFirstOf: keys.map { "\($0)/\(author)" }, in: "reviews") else {
            throw ControlError(404, "noReview", "\(author) has no review of \(title(of: film)) any more")
        }
        let fields = PersonFields.vote(
            vote == "like" ? 1 : -1, on: author, of: review.fields["film"]?.text ?? keys[0], by: form.person,
            at: editor.now)
        return try await editor.append(
            [try creation(of: fields, in: "votes").by(form.person)],
            vote == "like" ? "Liked the review" : "Disliked the review")
    }

    /// - Parameter keys: under which it may be; all that are there go.
    private func delete(
        _ keys: [String], in collection: String, by person: String, _ done: String, missing: String
    ) async throws -> String {
        var edits: [EditLine] = []
        for key in keys {
            guard let record = try await service.record(withFirstOf: [key], in: collection) else { continue }
            edits.append(EditLine(.delete, in: collection, record.id).by(person))
        }
        guard !edits.isEmpty else { throw ControlError(404, "unknownRecord", missing) }
        return try await editor.append(edits, done)
    }
}

extension EditLine {
    /// The same line, said by a person.
    fileprivate func by(_ person: String) -> EditLine {
        var line = self
        line.person = person
        return line
    }
}
