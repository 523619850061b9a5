internal import SyncModel

/// The collections of what people say about films, declared as a file would: compiled in, and kept where they are enabled.
package enum PeopleCollections {
    package static let all: [DeclaredCollection] = [favourites, reviews, votes, profiles]

    /// `favourites/{uid}/{film}`. The texts of a picture and a plot are never missing: apps count on them.
    private static let favourites = collection(
        "favourites", "favourite", key: ["uid", "film"], columns: ["title", "uid", "film"],
        [
            "title": required(maxLength: 500), "id": FieldDeclaration(.integer),
            "poster_path": text(or: ""), "backdrop_path": text(or: ""), "overview": text(or: ""),
            "vote_average": FieldDeclaration(.number), "at": FieldDeclaration(.integer),
        ])

    /// `reviews/{film}/{uid}`: one for a person and a film.
    private static let reviews = collection(
        "reviews", "review", key: ["film", "uid"], columns: ["text", "film", "uid", "rating"],
        [
            "text": required(maxLength: 5000), "name": FieldDeclaration(.text),
            "rating": between(1, 10), "at": FieldDeclaration(.integer), "edited": FieldDeclaration(.integer),
        ])

    /// `votes/{film}/{author}/{uid}`: 1 is a like of the author's review, -1 a dislike. Counts are never stored: they are
    /// those of the votes, so that none is lost where two people vote at once.
    private static let votes = collection(
        "votes", "vote", key: ["film", "author", "uid"], columns: ["author", "film", "uid", "vote"],
        ["vote": one(of: [1, -1]), "at": FieldDeclaration(.integer)])

    /// `profiles/{uid}`.
    private static let profiles = collection(
        "profiles", "profile", key: ["uid"], columns: ["name", "uid"],
        [
            "name": required(maxLength: 100), "photo": FieldDeclaration(.text), "bio": FieldDeclaration(.text),
            "movie": FieldDeclaration(.text), "genre": FieldDeclaration(.text),
        ])

    private static func collection(
        _ id: CollectionID, _ noun: String, key: [String], columns: [String], _ fields: [String: FieldDeclaration]
    ) -> DeclaredCollection {
        let parts = Dictionary(key.map { ($0, required()) }) { first, _ in first }
        return DeclaredCollection(
            CollectionDeclaration(
                id: id, noun: noun, titleField: columns[0], columns: columns,
                fields: fields.merging(parts) { own, _ in own }, key: KeyTemplate(key.map { .init($0) })),
            isBuiltIn: true)
    }

    private static func required(maxLength: Int? = nil) -> FieldDeclaration {
        var field = FieldDeclaration(.text)
        field.isRequired = true
        field.maxLength = maxLength
        return field
    }

    private static func text(or standard: String) -> FieldDeclaration {
        var field = FieldDeclaration(.text)
        field.defaultValue = .string(standard)
        return field
    }

    private static func between(_ minimum: Double, _ maximum: Double) -> FieldDeclaration {
        var field = FieldDeclaration(.integer)
        (field.minimum, field.maximum) = (minimum, maximum)
        return field
    }

    private static func one(of values: [JSONValue]) -> FieldDeclaration {
        var field = FieldDeclaration(.integer)
        field.isRequired = true
        field.oneOf = values
        return field
    }
}
