internal import SyncModel

/// What a person says about a film, and how many agree.
package struct ReviewReply: Codable, Hashable, Sendable {
    package var film: String
    /// The person.
    package var uid: String
    /// What the person is called, as the review says, or the own profile; null where neither does.
    @Nullable package var name: String?
    package var text: String
    /// From 1 to 10; null where there is none.
    @Nullable package var rating: Int64?
    @Nullable package var at: Moment?
    /// When it was last changed; null where it never was.
    @Nullable package var edited: Moment?
    package var likes: Int
    package var dislikes: Int
    /// Whether the remote does not have it yet.
    package var pending: Bool

    /// The reviews of a film, under whichever keys, with the votes on them, the most liked first.
    ///
    /// Nobody's vote on an own review counts, and a vote counts for the review under the same key.
    ///
    /// - Parameter profiles: by person.
    package static func all(
        _ reviews: [RecordReply], votes: [RecordReply], profiles: [String: RecordReply] = [:]
    ) -> [ReviewReply] {
        var counts: [[String]: (likes: Int, dislikes: Int)] = [:]
        for vote in votes.map(\.fields) {
            guard let author = vote["author"]?.text, vote["uid"]?.text != author else { continue }
            let review = [vote["film"]?.text ?? "", author]
            if vote["vote"]?.whole == 1 { counts[review, default: (0, 0)].likes += 1 }
            if vote["vote"]?.whole == -1 { counts[review, default: (0, 0)].dislikes += 1 }
        }
        let replies = reviews.compactMap { review -> ReviewReply? in
            guard let uid = review.fields["uid"]?.text else { return nil }
            return ReviewReply(
                review, uid, counts[[review.fields["film"]?.text ?? "", uid]] ?? (0, 0), profiles[uid])
        }
        return mostLikedFirst(replies)
    }

    /// Reviews in the order in which they are shown: the most liked first, then the newest.
    package static func mostLikedFirst(_ reviews: [ReviewReply]) -> [ReviewReply] {
        reviews.sorted { left, right in
            (right.likes - right.dislikes, right.at ?? .distantPast, left.uid)
                < (left.likes - left.dislikes, left.at ?? .distantPast, right.uid)
        }
    }

    private init(
        _ review: RecordReply, _ uid: String, _ count: (likes: Int, dislikes: Int), _ profile: RecordReply?
    ) {
        let fields = review.fields
        film = fields["film"]?.text ?? ""
        self.uid = uid
        _name = Nullable(wrappedValue: (fields["name"] ?? profile?.fields["name"])?.text)
        text = fields["text"]?.text ?? ""
        _rating = Nullable(wrappedValue: fields["rating"]?.whole)
        _at = Nullable(wrappedValue: Moment(field: fields["at"]))
        _edited = Nullable(wrappedValue: Moment(field: fields["edited"]))
        (likes, dislikes) = count
        pending = review.pending
    }
}

/// A film that a person likes best.
package struct FavouriteReply: Codable, Hashable, Sendable {
    /// The person.
    package var uid: String
    package var film: String
    package var title: String
    @Nullable package var at: Moment?
    /// Whether the remote does not have it yet.
    package var pending: Bool

    /// The favourites in the order of their titles.
    package static func all(_ favourites: [RecordReply]) -> [FavouriteReply] {
        favourites.map(FavouriteReply.init).sorted { ($0.title, $0.film) < ($1.title, $1.film) }
    }

    private init(_ favourite: RecordReply) {
        uid = favourite.fields["uid"]?.text ?? ""
        film = favourite.fields["film"]?.text ?? ""
        title = favourite.fields["title"]?.text ?? ""
        _at = Nullable(wrappedValue: Moment(field: favourite.fields["at"]))
        pending = favourite.pending
    }
}

extension Moment {
    /// Before every other.
    fileprivate static let distantPast = Moment(milliseconds: 0)

    /// A field with milliseconds since 1970; nil for any other.
    fileprivate init?(field: JSONValue?) {
        guard let whole = field?.whole, let milliseconds = UInt64(exactly: whole) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
