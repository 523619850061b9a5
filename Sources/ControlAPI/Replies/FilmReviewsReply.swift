internal import JSONText
package import SyncModel

/// How many reviews a film has, and what they rate it on the whole.
package struct FilmReviewsReply: Codable, Hashable, Sendable {
    package var film: String
    package var reviews: Int
    /// The mean of the ratings, from 1 to 10 with one decimal; null where nobody gave one.
    @Nullable package var rating: Double?
    /// How many gave one; left out where a daemon does not say.
    package var ratings: Int?

    package init(film: String, reviews: Int, rating: Double?, ratings: Int?) {
        self.film = film
        self.reviews = reviews
        _rating = Nullable(wrappedValue: rating)
        self.ratings = ratings
    }

    /// What is said of one film under several keys, together; nil where that is nothing.
    package static func together(_ parts: [FilmReviewsReply]) -> FilmReviewsReply? {
        guard let first = parts.first, parts.count > 1 else { return parts.first }
        let rated = parts.compactMap { part in part.rating.map { ($0, part.ratings ?? part.reviews) } }
        let ratings = rated.reduce(0) { $0 + $1.1 }
        let sum = rated.reduce(0.0) { $0 + ($1.0 * Double($1.1)).rounded() }
        return FilmReviewsReply(
            film: first.film, reviews: parts.reduce(0) { $0 + $1.reviews },
            rating: ratings == 0 ? nil : (sum / Double(ratings) * 10).rounded() / 10, ratings: ratings)
    }

    /// `3 reviews, 8.5 of 10`.
    package var words: String {
        "\(reviews) review\(reviews == 1 ? "" : "s")" + (rating.map { ", \($0) of 10" } ?? "")
    }
}

/// Counts reviews by film.
package struct ReviewTally: Sendable {
    private struct Count {
        var (reviews, ratings, sum) = (0, 0, Int64(0))
    }

    private var counts: [String: Count] = [:]

    package init() {}

    /// Counts one review; what names no film counts for none.
    package mutating func add(_ review: [String: JSONValue]) {
        guard let film = review["film"]?.text else { return }
        counts[film, default: Count()].reviews += 1
        guard let rating = review["rating"]?.whole, (1...10).contains(rating) else { return }
        counts[film]?.ratings += 1
        counts[film]?.sum += rating
    }

    /// The films that have reviews, by name.
    package var films: [FilmReviewsReply] { counts.keys.sorted().compactMap { self[$0] } }

    /// Nil where a film has no review.
    package subscript(film: String) -> FilmReviewsReply? {
        counts[film].map { count in
            let mean = count.ratings == 0 ? nil : Double(count.sum) / Double(count.ratings)
            return FilmReviewsReply(
                film: film, reviews: count.reviews, rating: mean.map { ($0 * 10).rounded() / 10 },
                ratings: count.ratings)
        }
    }

    /// What is said of a film that these stand for in keys; nil where it has no review.
    package func said(of films: [String]) -> FilmReviewsReply? {
        FilmReviewsReply.together(films.compactMap { self[$0] })
    }
}

extension ControlService {
    /// Counts all reviews.
    ///
    /// - Throws: `unknownCollection` (404) where none are kept.
    package func reviewTally() async throws -> ReviewTally {
        var (tally, after) = (ReviewTally(), String?.none)
        repeat {
            let page = try await records(
                in: "reviews", after: after, limit: ControlRoute.maxLimit, filter: .all)
            for record in page.items { tally.add((try? JSONReader.members(record.fields)) ?? [:]) }
            after = page.next
        } while after != nil
        return tally
    }

    /// Counts the reviews of some films; nil where none are kept.
    ///
    /// - Parameter films: what stands for them in keys.
    package func reviewTally(of films: [String]) async throws -> ReviewTally? {
        guard schemas().contains(where: { $0.name == "reviews" }) else { return nil }
        var tally = ReviewTally()
        for film in Set(films) {
            for review in try await records(in: "reviews", under: film) { tally.add(review.fields) }
        }
        return tally
    }
}
