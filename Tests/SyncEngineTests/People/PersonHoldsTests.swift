import ControlAPI
import LocalStore
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

/// What waits for people whose session has ended.
@Suite(.timeLimit(.minutes(1))) struct PersonHoldsTests {
    private func waiting(_ test: EngineUnderTest) async throws -> [String?] {
        try await test.store.read { try $0.holds().map(\.person) }
    }

    @discardableResult
    private func raise(for person: String, _ test: EngineUnderTest) async throws -> Int64 {
        var hold = Hold(.sessionEnded, .push, reason: "the account is disabled", since: 1)
        hold.collection = EngineUnderTest.movies
        hold.person = person
        return try await test.engine.context.commit { [hold] in try $0.raise(hold) }
    }

    @Test func `nobody is waited for whose token the configuration names no more`() async throws {
        let test = try EngineUnderTest()
        test.engine.context.people.change { book in
            book.configure(["anna": "a", "bob": "b"], now: 1)
            book.resolve(named: "anna", token: "a", uid: "A")
            book.resolve(named: "bob", token: "b", uid: "B")
        }
        for person in ["A", "B"] { try await raise(for: person, test) }
        test.engine.context.people.change { $0.configure(["anna": "a"], now: 2) }
        try await test.engine.endWaiting()
        #expect(try await waiting(test) == ["A"])
        // The same by a reload: this engine's configuration names nobody.
        await test.engine.lookAgainAfterReload()
        #expect(try await waiting(test) == [])
    }

    @Test func `a token that is another person's now ends the wait for the one before`() async throws {
        let test = try EngineUnderTest()
        let people = test.engine.context.people
        people.change { book in
            book.configure(["anna": "a"], now: 1)
            book.resolve(named: "anna", token: "a", uid: "A")
        }
        try await raise(for: "A", test)
        people.change { $0.configure(["anna": "z"], now: 2) }
        try await test.engine.endWaiting()
        #expect(try await waiting(test) == ["A"])
        people.change { _ = $0.resolve(named: "anna", token: "z", uid: "Z") }
        try await test.engine.endWaiting(for: "Z")
        #expect(try await waiting(test) == [])
    }

    @Test func `nothing is approved in the name of somebody who has no session, and rejecting goes on`() async throws {
        let test = try EngineUnderTest()
        let hold = try await raise(for: "C", test)
        let error = await #expect(throws: ControlError.self) {
            try await test.engine.approve(hold: hold, dryRun: false)
        }
        #expect(error?.code == "notSignedIn" && error?.status == 409)
        #expect(try await waiting(test) == ["C"])
        _ = try await test.engine.reject(hold: hold, dryRun: false)
        #expect(try await waiting(test) == [])
    }

    @Test func `of what a person has written it is said why it waits`() async throws {
        let key = KeyTemplate([.init("film", isInteger: true), .init(KeyTemplate.author)])
        let test = try EngineUnderTest(plugin: KeyedMovies(key: key))
        test.engine.context.status.update { $0.restingPeople = ["movies": ["anna": "the server answers 503"]] }
        var reasons: [String?] = []
        for (number, person) in [(1, "anna"), (2, "bob")] as [(UInt64, String)] {
            let stored = try await test.engine.context.commit { transaction in
                var stored = try transaction.record(EngineUnderTest.key(number))
                stored.state.remoteKey = "5/\(person)"
                try transaction.save(stored, pending: .yes, now: 1)
                return try transaction.record(EngineUnderTest.key(number))
            }
            reasons.append(test.engine.reason(stored, nil))
        }
        #expect(reasons.first == "what anna has written waits: the server answers 503")
        #expect(reasons.last == "waits for the first complete snapshot of the remote")
    }
}
