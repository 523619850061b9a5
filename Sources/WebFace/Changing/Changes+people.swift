internal import ControlAPI
internal import SyncModel

extension Changes {
    func favourite(_ film: RecordReply, _ form: Form) async throws -> String {
        let (key, name) = (PersonFields.film(film), title(of: film))
        guard form.flag("value") else {
            return try await delete(
                "\(form.person)/\(key)", in: "favourites", by: form.person,
                "\(name) is no favourite of \(form.person) any more",
                missing: "\(name) is no favourite of \(form.person)")
        }
        let fields = PersonFields.favourite(of: form.person, film: key, title: name, at: editor.now)
        return try await editor.append(
            [try creation(of: fields, in: "favourites").by(form.person)], "\(name) is a favourite of \(form.person)")
    }

    func removeFavourite(_ form: Form) async throws -> Done {
        guard let film = form.text("film") else { throw ControlError.badRequest("noFilm", "no film is named") }
        let words = try await delete(
            "\(form.person)/\(film)", in: "favourites", by: form.person,
            "It is no favourite of \(form.person) any more",
            missing: "it is no favourite of \(form.person)")
        return Done(words: words, page: "/favourites")
    }

    func review(_ film: RecordReply, _ form: Form) async throws -> String {
        let (key, name) = (PersonFields.film(film), title(of: film))
        guard let text = form.text("text") else {
            throw ControlError.badRequest("noText", "a review needs a text")
        }
        guard text.count <= Changes.longestReview else {
            throw ControlError.badRequest("tooLong", "a review has at most 5,000 characters")
        }
        let rating = try form.number("rating", 1...10)
        if let own = try await record("\(key)/\(form.person)", in: "reviews") {
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
            of: key, by: form.person, text: text, rating: rating, name: form.text("name"), at: editor.now)
        return try await editor.append([try creation(of: fields, in: "reviews").by(form.person)], "Reviewed \(name)")
    }

    private static let longestReview = 5_000

    func deleteReview(_ film: RecordReply, _ form: Form) async throws -> String {
        let name = title(of: film)
        return try await delete(
            "\(PersonFields.film(film))/\(form.person)", in: "reviews", by: form.person,
            "Deleted the review of \(name)",
            missing: "\(form.person) has no review of \(name)")
    }

    func vote(_ film: RecordReply, _ form: Form) async throws -> String {
        let key = PersonFields.film(film)
        guard let author = form.text("author"), let vote = form.text("vote") else {
            throw ControlError.badRequest("noVote", "a vote needs a review and what is thought of it")
        }
        guard author != form.person else {
            throw ControlError.badRequest("ownReview", "nobody votes on an own review")
        }
        if vote == "clear" {
            return try await delete(
                "\(key)/\(author)/\(form.person)", in: "votes", by: form.person, "Took back the vote",
                missing: "\(form.person) has no vote there")
        }
        guard try await record("\(key)/\(author)", in: "reviews") != nil else {
            throw ControlError(404, "noReview", "\(author) has no review of \(title(of: film)) any more")
        }
        let fields = PersonFields.vote(
            vote == "like" ? 1 : -1, on: author, of: key, by: form.person, at: editor.now)
        return try await editor.append(
            [try creation(of: fields, in: "votes").by(form.person)],
            vote == "like" ? "Liked the review" : "Disliked the review")
    }

    /// The record with a key that is made of fields; nil where there is none, or it is deleted.
    func record(_ key: String, in collection: String) async throws -> RecordReply? {
        do {
            let record = try await service.record(withKey: key, in: collection)
            return record.deleted ? nil : record
        } catch let error as ControlError where error.code == "unknownRecord" {
            return nil
        }
    }

    private func delete(
        _ key: String, in collection: String, by person: String, _ done: String, missing: String
    ) async throws -> String {
        guard let record = try await record(key, in: collection) else {
            throw ControlError(404, "unknownRecord", missing)
        }
        return try await editor.append([EditLine(.delete, in: collection, record.id).by(person)], done)
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
