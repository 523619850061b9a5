internal import Foundation
internal import SyncModel

/// The films of a library in the order of their titles, those that were watched apart. A pure value.
struct ShelfList: Sendable {
    struct Film: Hashable, Sendable, Comparable {
        /// The title as it is compared, see ``Swift/String/folded``.
        var title: String
        var id: RecordID

        static func < (left: Film, right: Film) -> Bool { (left.title, left.id) < (right.title, right.id) }
    }

    /// What is known of a film; nil takes it away.
    struct Entry: Hashable, Sendable {
        var title: String
        var isWatched: Bool
    }

    private var entries: [RecordID: Entry] = [:]
    private(set) var unwatched: [Film] = []
    private(set) var watched: [Film] = []

    /// Of two films of one id, the later counts.
    init(_ films: [(RecordID, Entry?)] = []) {
        for (id, entry) in films { entries[id] = entry }
        sort()
    }

    /// So many changes at once are worth a new order of all.
    private static let many = 256

    /// Takes over films as they are now; of two of one id, the later counts.
    mutating func put(_ changes: [(RecordID, Entry?)]) {
        guard changes.count < ShelfList.many else {
            for (id, entry) in changes { entries[id] = entry }
            return sort()
        }
        for (id, entry) in changes where entries[id] != entry {
            if let old = entries[id] { ShelfList.remove(Film(title: old.title, id: id), from: &self[old.isWatched]) }
            entries[id] = entry
            if let entry { ShelfList.insert(Film(title: entry.title, id: id), into: &self[entry.isWatched]) }
        }
    }

    private subscript(isWatched: Bool) -> [Film] {
        get { isWatched ? watched : unwatched }
        _modify { if isWatched { yield &watched } else { yield &unwatched } }
    }

    private mutating func sort() {
        (unwatched, watched) = ([], [])
        for (id, entry) in entries { self[entry.isWatched].append(Film(title: entry.title, id: id)) }
        unwatched.sort()
        watched.sort()
    }

    private static func remove(_ film: Film, from films: inout [Film]) {
        let place = place(of: film, in: films)
        if place < films.count, films[place] == film { films.remove(at: place) }
    }

    private static func insert(_ film: Film, into films: inout [Film]) {
        films.insert(film, at: place(of: film, in: films))
    }

    /// The first place whose film does not stand before `film`.
    private static func place(of film: Film, in films: [Film]) -> Int {
        var (low, high) = (0, films.count)
        while low < high {
            let middle = (low + high) / 2
            if films[middle] < film { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension String {
    /// The text as searches and orders compare it: without case, accents and width.
    var folded: String {
        utf8.allSatisfy { $0 < 0x80 }
            ? lowercased()
            : folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
