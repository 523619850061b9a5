internal import ControlAPI
internal import SyncModel

/// A film: its fields and where they stand, what people say, and what has become of it.
struct FilmPage: Sendable {
    let reader: Reader
    let why: WhyReply
    let history: HistoryReply
    let schema: CollectionSchema
    /// Nil where reviews are not kept here.
    let reviews: [ReviewReply]?
    /// Of those who wrote reviews, by person.
    let profiles: [String: RecordReply]
    /// Nil where favourites are not kept here.
    let isFavourite: Bool?
    /// The reader's votes, by author.
    let votes: [String: Int64]

    var page: WebPage {
        var parts: [WebPage.Part] = [
            .init(id: "film", listens: [.library, .people, .status], template: .film, model: film)
        ]
        if reader.mayChange, !record.deleted {
            parts.append(.init(id: "changing", template: .changing, model: changing))
        }
        parts.append(.init(id: "reviews", listens: [.people], template: .reviews, model: reviewing))
        if reader.mayChange, !record.deleted, reviews != nil {
            parts.append(.init(id: "reviewing", template: .reviewing, model: ownReview))
        }
        parts.append(.init(id: "history", listens: [.library], template: .history, model: past))
        return WebPage(title, place: "/", listens: [.library], parts)
    }

    private var record: RecordReply { why.record }

    private var title: String {
        record.fields[schema.titleField]?.text ?? (record.deleted ? "A deleted film" : record.id)
    }

    private var film: Model {
        let isWatched = record.fields["hasWatched"]?.truth ?? false
        return reader.model.with([
            "id": .text(record.id), "title": .text(title), "isDeleted": .flag(record.deleted),
            "mayChange": .flag(reader.mayChange && !record.deleted),
            "picture": .maybe(Shown.picture(record.fields["posterPath"]?.text, width: 342)),
            "isWatched": .flag(isWatched), "mayFavour": .flag(isFavourite != nil),
            "isFavourite": .flag(isFavourite == true), "steps": .list(steps), "fields": .list(fields),
            "concerns": .list(concerns),
        ])
    }

    /// How far the newest version has come.
    private var steps: [Model] {
        let isSent = !record.pending
        let isThere = isSent && record.base?.isOutdated != true
        let waiting = (isSent ? "Pushed, but " : "Not pushed yet: ") + (record.reason ?? "it waits for its turn")
        let version = record.deleted ? "the deletion" : "the newest version"
        return [
            [
                "isDone": true,
                "text": "Journalled: \(version) is in this node's state, with the stamp \(record.stamp).",
            ],
            [
                "isDone": .flag(isThere),
                "text": .text(isThere ? "Pushed and confirmed: the remote has it." : waiting + "."),
            ],
        ]
    }

    private var concerns: [Model] {
        let reasons =
            why.holds.map { "Hold \($0.id): \($0.reason)" }
            + why.quarantine.map { "Quarantine, item \($0.id): \($0.reason)" }
            + why.conflicts.filter { !$0.restored }.map { conflict in
                "Conflict \(conflict.id), decided by the rule \(conflict.rule): "
                    + "\(conflict.fields.joined(separator: ", "))"
            }
        return reasons.map { ["text": .text($0)] }
    }

    private var fields: [Model] {
        let first = schema.columns
        let sorted = why.fields.sorted { left, right in
            let (one, other) = (first.firstIndex(of: left.name) ?? .max, first.firstIndex(of: right.name) ?? .max)
            return (one, left.name) < (other, right.name)
        }
        return sorted.map { field in
            let there: String? =
                switch field.onRemote {
                case nil: nil
                case true?: "the same"
                case false?: field.remote.map { Shown.value($0) } ?? "not there"
                }
            return [
                "name": .text(field.name), "value": .text(Shown.value(field.value)),
                "who": .text(field.who ?? "nobody: the default"), "at": Shown.moment(field.at),
                "there": .text(there ?? "not known"),
            ]
        }
    }

    private var changing: Model {
        let year = record.fields["year"]?.whole
        return reader.model.with([
            "id": .text(record.id), "title": .text(record.fields[schema.titleField]?.text ?? ""),
            "year": .text(year.map(String.init) ?? ""),
            // A browser sends no form with a number outside the limits of its field.
            "isUsualYear": .flag(year.map { Changes.years.contains($0) } ?? true),
        ])
    }

    private var past: Model {
        [
            "items": .list(history.items.map(entry)), "isEmpty": .flag(history.items.isEmpty),
            "older": .maybe(history.next.map { "/film/\(record.id)?history=\(PercentEncoding.encoded($0))#history" }),
            "end": .text(end),
        ]
    }

    private var end: String {
        if history.next != nil { return "" }
        if history.complete { return "This node has seen no more of it." }
        return history.keptSince.map { "Changes are kept since \(Shown.time($0))." } ?? "No change of it is kept."
    }

    private func entry(_ item: HistoryReply.Item) -> Model {
        let fields: [Model] = item.fields.map { field in
            [
                "name": .text(field.name), "before": .text(field.before.map { Shown.value($0) } ?? "nothing"),
                "after": .text(field.after.map { Shown.value($0) } ?? "nothing"),
                "other": .maybe(field.who == item.who ? nil : field.who),
            ]
        }
        return [
            "op": .text(item.op), "at": Shown.moment(item.at), "who": .text(item.who), "rule": .maybe(item.rule),
            "fields": .list(fields),
        ]
    }
}

// What people say.
extension FilmPage {
    private var reviewing: Model {
        guard let reviews else { return ["isOff": true, "list": .list([])] }
        return reader.model.with([
            "isOff": false, "isEmpty": .flag(reviews.isEmpty), "list": .list(reviews.map(review)),
            "id": .text(record.id), "count": .text(Shown.count(reviews.count, "review")),
        ])
    }

    private func review(_ review: ReviewReply) -> Model {
        let mayVote = reader.mayChange && !record.deleted && review.uid != reader.person
        let canVote = mayVote && reader.collections.contains("votes")
        let vote = votes[review.uid]
        return [
            "author": .text(review.uid),
            "portrait": .text(Shown.portrait(of: review.uid, profiles[review.uid], name: review.name)),
            "name": .text(review.name ?? review.uid), "text": .text(review.text),
            "rating": .maybe(review.rating.map { "\($0) of 10" }), "at": Shown.moment(review.at),
            "edited": Shown.moment(review.edited), "likes": .text("\(review.likes)"),
            "dislikes": .text("\(review.dislikes)"), "pending": .flag(review.pending), "mayVote": .flag(canVote),
            "isLiked": .flag(vote == 1), "isDisliked": .flag(vote == -1), "hasVoted": .flag(vote != nil),
        ]
    }

    private var ownReview: Model {
        let own = reviews?.first { $0.uid == reader.person }
        return reader.model.with([
            "id": .text(record.id), "hasOwn": .flag(own != nil), "text": .text(own?.text ?? ""),
            "rating": .text(own?.rating.map(String.init) ?? ""), "name": .text(own?.name ?? ""),
        ])
    }
}
