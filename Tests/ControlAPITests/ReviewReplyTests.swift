import ControlAPI
import SyncModel
import Testing

struct ReviewReplyTests {
    private static func record(_ collection: String, _ fields: [String: JSONValue]) -> RecordReply {
        RecordReply(
            collection: collection, id: "6F9619FF-8B86-4011-B42D-00C04FC964FF", fields: fields, stamp: "",
            deleted: false,
            pending: false, reason: nil, base: nil)
    }

    private static func vote(_ author: JSONValue, _ voter: String, _ value: JSONValue) -> RecordReply {
        record("votes", ["film": "348", "author": author, "uid": .string(voter), "vote": value])
    }

    private static let reviews = ["anna", "bob", "carl"].map { uid in
        record("reviews", ["film": "348", "uid": .string(uid), "text": "t", "at": uid == "carl" ? 2 : 1])
    }

    @Test func `the most liked come first, then the newest`() {
        let votes = [Self.vote("bob", "anna", 1), Self.vote("anna", "bob", -1), Self.vote("anna", "carl", 1)]
        let shown = ReviewReply.all(Self.reviews, votes: votes)
        #expect(shown.map(\.uid) == ["bob", "carl", "anna"])
        #expect(shown.map(\.likes) == [1, 0, 1] && shown.map(\.dislikes) == [0, 0, 1])
    }

    @Test func `reviews are counted by film, and only what is a rating has weight`() {
        var tally = ReviewTally()
        for (film, rating) in [("348", 9), ("348", 8), ("348", 8), ("348", 11), ("68", nil)] as [(String, JSONValue?)] {
            var fields: [String: JSONValue] = ["film": .string(film)]
            fields["rating"] = rating
            tally.add(fields)
        }
        tally.add(["rating": 3])
        #expect(
            tally.films == [
                FilmReviewsReply(film: "348", reviews: 4, rating: 8.3, ratings: 3),
                FilmReviewsReply(film: "68", reviews: 1, rating: nil, ratings: 0),
            ])
        #expect(tally.films.map(\.words) == ["4 reviews, 8.3 of 10", "1 review"] && tally["1"] == nil)
        let both = FilmReviewsReply(film: "348", reviews: 5, rating: 8.3, ratings: 3)
        #expect(tally.said(of: ["1", "348", "68"]) == both && tally.said(of: ["1"]) == nil)
    }

    @Test func `a vote on an own review, and one that is none, count for nothing`() {
        let votes = [
            Self.vote("anna", "anna", 1), Self.vote("anna", "bob", 7), Self.vote(.null, "bob", 1),
            Self.vote("zoe", "bob", 1),
        ]
        #expect(ReviewReply.all(Self.reviews, votes: votes).allSatisfy { $0.likes == 0 && $0.dislikes == 0 })
    }

    @Test func `what is said of a film under two keys weighs as it would under one`() {
        let parts = [("A", 1, 7, 1), ("B", 3, 9, 1), ("C", 2, nil, 0)] as [(String, Int, Double?, Int)]
        let replies = parts.map { FilmReviewsReply(film: $0, reviews: $1, rating: $2, ratings: $3) }
        #expect(
            FilmReviewsReply.together(replies) == FilmReviewsReply(film: "A", reviews: 6, rating: 8, ratings: 2))
        #expect(FilmReviewsReply.together([]) == nil && FilmReviewsReply.together([replies[1]]) == replies[1])
    }

    @Test func `a vote counts for the review under the same key`() {
        var other = Self.reviews[0]
        other.fields["film"] = "omdb:tt1"
        let shown = ReviewReply.all([other] + Self.reviews, votes: [Self.vote("anna", "bob", 1)])
        #expect(shown.filter { $0.uid == "anna" }.map(\.film) == ["348", "omdb:tt1"])
        #expect(shown.map(\.likes) == [1, 0, 0, 0])
    }
}
