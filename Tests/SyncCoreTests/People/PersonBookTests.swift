import SyncCore
import Testing

struct PersonBookTests {
    private static func session(_ name: String, _ uid: String, token: String = "t") -> PersonSession {
        PersonSession(name: name, uid: uid, email: "\(name)@example.org", refreshToken: token, since: 1)
    }

    @Test func `whoever signs in is this person from then on, and nobody else`() {
        var book = PersonBook()
        let done1 = book.add(Self.session("anna", "A"), for: 1000)
        #expect(done1)
        #expect(book.session(of: 1000, [:])?.uid == "A")
        let done2 = book.add(Self.session("bob", "B"), for: 1000)
        #expect(done2)
        #expect(book.session(of: 1000, [:])?.uid == "B")
        #expect(book.session(named: "anna")?.localUsers == [])
        #expect(book.session(of: 1001, [:]) == nil)
        #expect(book.sessions.map(\.name) == ["anna", "bob"])
    }

    @Test func `the configuration says who a user is, by name or by uid`() {
        var book = PersonBook()
        _ = book.add(Self.session("anna", "A"), for: 1000)
        _ = book.add(Self.session("bob", "B"), for: nil)
        #expect(book.session(of: 1000, [1000: "bob"])?.uid == "B")
        #expect(book.session(of: 1000, [1000: "A"])?.uid == "A")
        #expect(book.session(of: 1000, [1000: "zoe"]) == nil)
    }

    @Test func `a name is one person's, and a person has one session`() {
        var book = PersonBook()
        _ = book.add(Self.session("anna", "A"), for: 1000)
        let done3 = book.add(Self.session("anna", "Z"), for: 1001)
        #expect(!done3)
        #expect(book.session(named: "anna")?.uid == "A")
        let done4 = book.add(Self.session("annie", "A", token: "new"), for: 1001)
        #expect(done4)
        #expect(book.sessions.map(\.name) == ["annie"])
        #expect(book.session(of: 1000, [:])?.refreshToken == "new" && book.session(of: 1001, [:]) != nil)
    }

    @Test func `who signs in once more keeps the name by which the configuration knows them`() {
        var book = PersonBook()
        _ = book.add(Self.session("anna", "A"), for: 1000)
        #expect(book.name(of: "A", wanted: "annie", [1000: "anna"]) == "anna")
        #expect(book.name(of: "A", wanted: "annie", [:]) == "annie")
        #expect(book.name(of: "A", wanted: "annie", [1000: "A", 1001: "bob"]) == "annie")
        #expect(book.name(of: "B", wanted: "bob", [1000: "anna"]) == "bob")
    }

    @Test func `who was a person by another session still is when a configured one turns out to be theirs`() {
        var book = PersonBook()
        _ = book.add(Self.session("dora", "D"), for: 2009)
        book.configure(["dd": "t1"], now: 2)
        book.resolve(named: "dd", token: "t1", uid: "D")
        #expect(book.sessions.map(\.name) == ["dd"] && book.session(of: 2009, [:])?.uid == "D")
    }

    @Test func `of two names for one account that one is asked about first which had it before`() {
        var book = PersonBook()
        book.configure(["zoe": "z"], now: 1)
        book.resolve(named: "zoe", token: "z", uid: "A")
        book = book.kept
        book.configure(["anna": "a", "zoe": "z"], now: 2)
        #expect(book.unasked.map(\.name) == ["zoe", "anna"])
        for session in book.unasked { book.resolve(named: session.name, token: session.refreshToken, uid: "A") }
        #expect(book.session(named: "zoe")?.uid == "A" && book.session(named: "anna")?.ended != nil)
        #expect(book.unasked.isEmpty)
    }

    /// Anna and Bob, whose tokens the configuration names and the remote knows.
    private static func couple() -> PersonBook {
        var book = PersonBook()
        book.configure(["anna": "a", "bob": "b"], now: 1)
        book.resolve(named: "anna", token: "a", uid: "A")
        book.resolve(named: "bob", token: "b", uid: "B")
        return book
    }

    private static func uids(_ book: PersonBook) -> [String: String?] {
        Dictionary(uniqueKeysWithValues: book.sessions.map { ($0.name, $0.uid) })
    }

    @Test func `a second name for an account ends, and takes nothing from the first, until its token is mended`() {
        var book = Self.couple()
        for _ in 0..<2 {
            book.configure(["anna": "a", "bob": "a2"], now: 2)
            #expect(Self.uids(book) == ["anna": "A", "bob": nil])
            let reason = book.resolve(named: "bob", token: "a2", uid: "A")
            #expect(reason == "this is the account of users.tokens.anna, too")
            #expect(Self.uids(book) == ["anna": "A", "bob": nil])
            #expect(book.session(named: "bob")?.ended == reason && book.session(named: "anna")?.ended == nil)
            // What Bob has said goes out in nobody else's name meanwhile.
            #expect(book.session(writingFor: "B")?.name == "bob" && book.session(writingFor: "A")?.name == "anna")
            #expect(book.people == ["A", "B"])
        }
        book.configure(["anna": "a", "bob": "b"], now: 3)
        #expect(Self.uids(book) == ["anna": "A", "bob": nil])
        let reason = book.resolve(named: "bob", token: "b", uid: "B")
        #expect(reason == nil && Self.uids(book) == ["anna": "A", "bob": "B"])
        #expect(book.sessions.allSatisfy { $0.ended == nil && $0.isChecked })
    }

    @Test(arguments: [false, true])
    func `tokens that were exchanged are whoever's the remote says, and nobody's session is lost`(isStart: Bool) {
        var book = isStart ? Self.couple().kept : Self.couple()
        book.configure(["anna": "b", "bob": "a"], now: 2)
        #expect(book.session(writingFor: "A")?.name == "anna" && book.session(writingFor: "B")?.name == "bob")
        book.resolve(named: "anna", token: "b", uid: "B")
        #expect(Self.uids(book) == ["anna": "B", "bob": nil])
        #expect(book.session(writingFor: "A")?.name == "bob" && book.session(writingFor: "B")?.name == "anna")
        book.resolve(named: "bob", token: "a", uid: "A")
        #expect(Self.uids(book) == ["anna": "B", "bob": "A"])
        #expect(book.session(writingFor: "A")?.name == "bob" && book.session(writingFor: "Z") == nil)
    }

    @Test func `whoever the remote is asked about first, the name that is mended is who it should be`() {
        var book = Self.couple().kept
        book.configure(["anna": "a", "bob": "a2"], now: 2)
        book.resolve(named: "bob", token: "a2", uid: "A")
        book.resolve(named: "anna", token: "a", uid: "A")
        #expect(Self.uids(book) == ["anna": nil, "bob": "A"])
        #expect(book.session(named: "anna")?.ended == "this is the account of users.tokens.bob, too")
        book.configure(["anna": "a", "bob": "b"], now: 3)
        book.resolve(named: "anna", token: "a", uid: "A")
        #expect(book.session(writingFor: "B")?.name == "bob")
        book.resolve(named: "bob", token: "b", uid: "B")
        #expect(Self.uids(book) == ["anna": "A", "bob": "B"])
        book.configure(["anna": "z", "bob": "b"], now: 4)
        book.resolve(named: "anna", token: "z", uid: "Z")
        #expect(Self.uids(book) == ["anna": "Z", "bob": "B"] && book.session(writingFor: "A") == nil)
        #expect(book.people == ["Z", "B"])
    }

    @Test func `a session without a uid that has ended is tried again for whom it was`() {
        var book = Self.couple()
        book.configure(["anna": "a", "bob": "bad"], now: 2)
        _ = book.end(named: "bob", token: "bad", "the remote does not know it")
        #expect(book.session(writingFor: "B")?.ended == "the remote does not know it")
        book.resume(uid: "B")
        #expect(book.session(writingFor: "B")?.ended == nil && book.session(uid: "B") == nil)
    }

    @Test func `a token that can't be read for a while takes nothing from its session`() {
        var book = PersonBook()
        book.configure(["anna": "t1"], now: 1)
        book.resolve(named: "anna", token: "t1", uid: "A")
        book.renew(named: "anna", token: "t1", to: "t2")
        book.configure([:], unreadable: ["anna": "others can read it"], now: 2)
        #expect(book.session(uid: "A")?.ended == "others can read it")
        book.configure(["anna": "t1"], now: 3)
        let session = book.session(uid: "A")
        #expect(session?.refreshToken == "t2" && session?.ended == nil && session?.isChecked == false)
        book.configure(["anna": "t3"], now: 4)
        #expect(book.session(named: "anna")?.refreshToken == "t3")
    }

    @Test func `a session whose token was renewed has not ended`() {
        var book = PersonBook()
        _ = book.add(Self.session("anna", "A", token: "old"), for: 1000)
        _ = book.end(named: "anna", token: "old", "used before")
        book.renew(named: "anna", token: "old", to: "new")
        #expect(book.session(uid: "A")?.ended == nil && book.session(uid: "A")?.refreshToken == "new")
    }

    @Test func `a session ends once, and not the one that took its place`() {
        var book = PersonBook()
        _ = book.add(Self.session("anna", "A", token: "old"), for: 1000)
        let done5 = book.end(named: "anna", token: "old", "gone")
        #expect(done5)
        let done6 = book.end(named: "anna", token: "old", "gone again")
        #expect(!done6)
        #expect(book.session(uid: "A")?.ended == "gone")
        _ = book.add(Self.session("anna", "A", token: "new"), for: 1000)
        #expect(book.isPast(Self.session("anna", "A", token: "old")))
        #expect(!book.isPast(Self.session("anna", "A", token: "new")))
        let done7 = book.end(named: "anna", token: "old", "late")
        #expect(!done7)
        #expect(book.session(uid: "A")?.ended == nil)
        book.remove(named: "anna")
        let again = book.remove(named: "anna")
        #expect(book.sessions.isEmpty && again == nil && book.isPast(Self.session("anna", "A", token: "new")))
    }

    @Test func `a token that the configuration names is not kept, and its person is`() {
        var book = PersonBook()
        book.configure(["anna": "secret"], now: 5)
        #expect(book.session(named: "anna")?.uid == nil)
        book.resolve(named: "anna", token: "other", uid: "X")
        #expect(book.session(named: "anna")?.isChecked == false)
        book.resolve(named: "anna", token: "secret", uid: "A")
        #expect(book.session(uid: "A")?.isChecked == true)
        var kept = book.kept
        #expect(kept.session(uid: "A")?.refreshToken == "")
        kept.configure(["anna": "secret"], now: 6)
        #expect(kept.session(uid: "A")?.refreshToken == "secret" && kept.session(uid: "A")?.isChecked == false)
        kept.configure([:], now: 7)
        #expect(kept.sessions.isEmpty)
    }

    @Test func `a token that the remote has given in place of another counts, also over the configured one`() {
        var book = PersonBook()
        book.configure(["anna": "secret"], now: 5)
        _ = book.add(Self.session("bob", "B", token: "b1"), for: nil)
        book.renew(named: "bob", token: "other", to: "b3")
        book.renew(named: "bob", token: "b1", to: "b2")
        book.renew(named: "anna", token: "secret", to: "s2")
        book.renew(named: "anna", token: "s2", to: "s3")
        #expect(book.session(named: "bob")?.refreshToken == "b2" && book.session(named: "anna")?.refreshToken == "s3")
        var kept = book.kept
        #expect(kept.session(named: "bob")?.refreshToken == "b2")
        kept.configure(["anna": "secret"], now: 6)
        #expect(kept.session(named: "anna")?.refreshToken == "s3")
        kept.configure(["anna": "new"], now: 7)
        #expect(kept.session(named: "anna")?.refreshToken == "new")
        #expect(kept.kept.session(named: "anna")?.refreshToken == "")
    }

    @Test func `who signs in takes the place of the token of the same person`() {
        var book = PersonBook()
        book.configure(["anna": "secret"], now: 5)
        book.resolve(named: "anna", token: "secret", uid: "A")
        let done8 = book.add(Self.session("me", "A"), for: 1000)
        #expect(done8)
        #expect(book.sessions.map(\.name) == ["me"])
    }

    @Test func `nothing that is shown of a session holds its token`() {
        #expect(!"\(Self.session("anna", "A", token: "geheim"))".contains("geheim"))
        var text = ""
        dump(Self.session("anna", "A", token: "geheim"), to: &text)
        #expect(!text.contains("geheim"))
    }
}
