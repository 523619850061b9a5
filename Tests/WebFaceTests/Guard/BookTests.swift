import ControlAPI
import Foundation
import Logging
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@testable import WebFace

struct BookTests {
    @Test
    func `a link is good once, and for a minute`() {
        var book = LinkBook()
        #expect(book.add("one", now: 1_000) == 61_000)
        _ = book.add("two", now: 1_000)
        #expect(book.use("one", now: 60_999) == .good)
        #expect(book.use("one", now: 61_000) == .used)
        #expect(book.use("two", now: 61_000) == .tooOld)
        #expect(book.use("guessed", now: 2_000) == .tooOld)
    }

    @Test
    func `of too many links the oldest is forgotten`() {
        var book = LinkBook()
        for number in 0...LinkBook.capacity { _ = book.add("\(number)", now: 0) }
        #expect(book.use("0", now: 1) == .tooOld)
        #expect(book.use("1", now: 1) == .good)
    }

    @Test
    func `a session ends after thirty days`() throws {
        var book = SessionBook()
        book.add("cookie", now: 0)
        #expect(book.session("cookie", now: SessionBook.lifetime - 1) != nil)
        #expect(book.session("cookie", now: SessionBook.lifetime) == nil)
        #expect(book.session("another", now: 1) == nil)
        let session = try #require(book.session("cookie", now: 1))
        book.set(person: "anna", of: session.hash)
        #expect(book.session("cookie", now: 1)?.person == "anna")
        book.remove(session.hash)
        #expect(book.session("cookie", now: 1) == nil)
    }

    @Test
    func `of too many sessions the first is ended`() {
        var book = SessionBook()
        for number in 0...SessionBook.capacity { book.add("\(number)", now: 0) }
        #expect(book.session("0", now: 1) == nil)
        #expect(book.session("1", now: 1) != nil)
    }
}

struct DoorkeeperTests {
    private func doorkeeper(_ folder: some CustomStringConvertible, now: UInt64 = 1_000) -> Doorkeeper {
        Doorkeeper(
            path: "\(folder)/sessions.json", wall: { now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    @Test
    func `a session outlives the daemon, and its file knows no secret`() async throws {
        try await withTemporaryFolder { folder in
            let first = doorkeeper(folder)
            let link = first.makeLink()
            guard case .signedIn(let cookie) = first.enter(link.secret) else {
                Issue.record("the link was not taken")
                return
            }
            #expect(first.enter(link.secret) == .used)
            #expect(cookie.count == 64)
            let text = try String(contentsOfFile: "\(folder)/sessions.json", encoding: .utf8)
            #expect(!text.contains(cookie) && !text.contains(link.secret))
            let second = doorkeeper(folder)
            #expect(second.session(cookie) != nil)
            #expect(second.enter(link.secret) == .tooOld)
            #expect(doorkeeper(folder, now: 1_000 + SessionBook.lifetime).session(cookie) == nil)
        }
    }

    @Test
    func `a file of others or of no sense signs nobody in`() async throws {
        try await withTemporaryFolder { folder in
            try Data("[1".utf8).write(to: URL(fileURLWithPath: "\(folder)/sessions.json"))
            #expect(doorkeeper(folder).session("cookie") == nil)
        }
    }
}
