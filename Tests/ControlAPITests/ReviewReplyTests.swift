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
                FilmReviewsReply(film: "348", reviews: 4, rating: 8.3),
                FilmReviewsReply(film: "68", reviews: 1, rating: nil),
            ])
        #expect(tally.films.map(\.words) == ["4 reviews, 8.3 of 10", "1 review"] && tally["1"] == nil)
    }

    @Test func `a vote on an own review, and one that is none, count for nothing`() {
        let votes = [
            Self.vote("anna", "anna", 1), Self.vote("anna", "bob", 7), Self.vote(.null, "bob", 1),
            Self.vote("zoe", "bob", 1),
        ]
        #expect(ReviewReply.all(Self.reviews, votes: votes).allSatisfy { $0.likes == 0 && $0.dislikes == 0 })
    }
}
