internal import ControlAPI

/// The reviews of a film.
struct ReviewsAnswer: Answer {
    var reply: Page<ReviewReply>
    var now: Moment

    func text(_ style: Style) -> String {
        guard !reply.items.isEmpty else { return "no reviews" }
        var table = Table([
            .init("who", .cutLast, .most), .init("rating", number: true), .init("likes", number: true),
            .init("dislikes", number: true), .init("when"), .init("review", .cutFirst, .most), .init("", .whole, .much),
        ])
        for review in reply.items {
            table.add([
                .init(review.name.map { "\($0) (\(review.uid))" } ?? review.uid),
                .init(review.rating.map(String.init) ?? ""), .init(String(review.likes)),
                .init(String(review.dislikes)),
                .init((review.edited ?? review.at).map { Formatted.ago($0, now: now) } ?? ""),
                .init(review.text), .init(review.pending ? "pending" : "", .faint),
            ])
        }
        return table.text(style)
    }
}

/// The films that have reviews.
struct ReviewedFilmsAnswer: Answer {
    var reply: Page<FilmReviewsReply>
    /// What those of the library are called, by what stands for them.
    var titles: [String: String]

    func text(_ style: Style) -> String {
        guard !reply.items.isEmpty else { return "no reviews" }
        var table = Table([
            .init("film", .whole, .most), .init("title", .cutLast, .most), .init("reviews", number: true),
            .init("rating", number: true),
        ])
        for film in reply.items {
            table.add([
                .init(film.film), .init(titles[film.film] ?? ""), .init(String(film.reviews)),
                .init(film.rating.map { "\($0)" } ?? ""),
            ])
        }
        return table.text(style)
    }
}

/// A person's favourites.
struct FavouritesAnswer: Answer {
    var reply: Page<FavouriteReply>
    var now: Moment

    func text(_ style: Style) -> String {
        guard !reply.items.isEmpty else { return "no favourites" }
        var table = Table([
            .init("film", .whole, .most), .init("title", .cutFirst, .most), .init("since"), .init("", .whole, .much),
        ])
        for favourite in reply.items {
            table.add([
                .init(favourite.film), .init(favourite.title),
                .init(favourite.at.map { Formatted.ago($0, now: now) } ?? ""),
                .init(favourite.pending ? "pending" : "", .faint),
            ])
        }
        return table.text(style)
    }
}
