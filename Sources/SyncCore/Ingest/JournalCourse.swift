package import SyncModel

/// A place in the journal from which reading can go on. What it says is its reader's affair.
package protocol JournalPlace: Sendable {
    /// From what was stored; nil where that can't be read.
    init?(stored: [UInt8])
    /// As it is stored.
    var text: [UInt8] { get }
    /// The start of the same file, to read it again as new content.
    var restarted: Self { get }
}

/// How far the journal was read, and where reading goes on: at a start, and when a person has decided about a journal that
/// was rewritten (`docs/protocol.md` section 10).
///
/// Places are written in the transactions of what they stand for.
package enum JournalCourse<Place: JournalPlace> {
    /// Where reading begins.
    package struct Start: Sendable {
        /// Nil for the start of the journal.
        package var place: Place?
        /// Nothing is read before a person has decided.
        package var isHeld = false
        package var backlog = Backlog.all
    }

    /// What was there before anybody watched.
    package enum Backlog: Sendable {
        /// Whatever is there when reading begins.
        case all
        /// The same as before.
        case asBefore
    }

    private static var reached: String { "journal" }
    /// Where reading goes on in the journal as it was found to be rewritten; there while the hold waits.
    private static var rewritten: String { "journal.rewritten" }
    private static var lines: String { "journal.lines" }

    /// Where the last line that was applied ends; nil where none was.
    package static func place(in book: some RecordBook) throws -> Place? { try place(reached, in: book) }

    private static func place(_ name: String, in book: some RecordBook) throws -> Place? {
        try book.value(name).flatMap { Place(stored: $0) }
    }

    /// How many lines were applied.
    package static func lines(in book: some RecordBook) throws -> Int {
        try book.value(lines).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Everything before `place` was dealt with, and no line more.
    package static func reached(_ place: Place, in book: some RecordBook) throws {
        try book.setValue(reached, place.text)
    }

    /// Everything before `place` was dealt with: so many lines more.
    ///
    /// - Returns: how many they are now.
    package static func reached(_ place: Place, lines count: Int, in book: some RecordBook) throws -> Int {
        try reached(place, in: book)
        let count = try lines(in: book) + count
        try book.setValue(lines, Array(String(count).utf8))
        return count
    }

    /// Where reading begins.
    ///
    /// - Parameter answer: what was decided, where that ended the reading before; else nil.
    package static func start(after answer: JournalAnswer?, in book: some RecordBook) throws -> Start {
        let isAsked = try !book.holds(of: .journalRewritten).isEmpty
        // Without a note of that place the journal is still as rewritten as it was, and is asked about again.
        let isHeld = try isAsked && place(rewritten, in: book) != nil
        // What was there when it was decided to read all of it again was not appended while anybody watched.
        return Start(place: try place(in: book), isHeld: isHeld, backlog: answer == .goOn ? .asBefore : .all)
    }

    /// What was read is different now: raises the hold, and notes where reading goes on.
    ///
    /// - Parameter present: where reading has stopped, where that place can be told in the file; else the end of what stands in
    ///   it now.
    package static func rewritten(
        _ reason: String, present: Place, since now: UInt64, in book: some RecordBook
    ) throws {
        try JournalRewritten.raise(reason: reason, since: now, in: book)
        try book.setValue(rewritten, present.text)
    }

    /// Moves on as a person has decided.
    package static func goOn(as answer: JournalAnswer, in book: some RecordBook) throws {
        guard let present = try place(rewritten, in: book) else { return }
        try reached(answer == .readAgain ? present.restarted : present, in: book)
        try book.removeValue(rewritten)
    }

    /// Where reading goes on when a hold that keeps the journal from being read is decided; nil where it does not.
    package static func start(deciding hold: Hold, approved: Bool, in book: some RecordBook) throws -> Start? {
        guard hold.kind == .journalRewritten else { return Start(place: try place(in: book), backlog: .asBefore) }
        guard let present = try place(rewritten, in: book) else { return approved ? Start() : nil }
        return approved ? Start(place: present.restarted) : Start(place: present, backlog: .asBefore)
    }
}
