package import SyncModel

/// The fields of what people say about films, as they are written.
package enum PersonFields {
    /// A person's favourite.
    package static func favourite(
        of person: String, film: String, title: String, at moment: Moment
    ) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "uid": .string(person), "film": .string(film), "title": .string(title), "at": milliseconds(moment),
        ]
        if let number = Int64(film) { fields["id"] = .integer(number) }
        return fields
    }

    /// A person's first review of a film.
    package static func review(
        of film: String, by person: String, text: String, rating: Int64?, name: String?, at moment: Moment
    ) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "film": .string(film), "uid": .string(person), "text": .string(text), "at": milliseconds(moment),
        ]
        if let rating { fields["rating"] = .integer(rating) }
        if let name { fields["name"] = .string(name) }
        return fields
    }

    /// What changes of a review.
    package static func edit(text: String?, rating: Int64?, at moment: Moment) -> [String: JSONValue] {
        var fields: [String: JSONValue] = ["edited": milliseconds(moment)]
        if let text { fields["text"] = .string(text) }
        if let rating { fields["rating"] = .integer(rating) }
        return fields
    }

    /// A person's vote on somebody's review of a film: 1 or -1.
    package static func vote(
        _ value: Int64, on author: String, of film: String, by person: String, at moment: Moment
    ) -> [String: JSONValue] {
        [
            "film": .string(film), "author": .string(author), "uid": .string(person), "vote": .integer(value),
            "at": milliseconds(moment),
        ]
    }

    private static func milliseconds(_ moment: Moment) -> JSONValue { .integer(Int64(moment.milliseconds)) }
}
