import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
    private static func events(_ count: Int) -> CollectionMachine.Input {
        .events(.records("movies"), stream: 1, Array(repeating: .touched(key: "K"), count: count))
    }

    @Test func `whoever adds little goes on at once, whoever adds more than there is room for waits`() async {
        let mailbox = Mailbox()
        var arrivals = mailbox.arrivals.makeAsyncIterator()
        for _ in 0..<3 { await mailbox.addAndWaitForRoom(Self.events(500)) }
        await arrivals.next()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await mailbox.addAndWaitForRoom(Self.events(500)) }
            await arrivals.next()
            let taken = mailbox.take(limit: 8)
            #expect(taken.map { $0.taken != nil } == [false, false, false, true])
            for letter in taken { letter.taken?.finish() }
        }
        await mailbox.addAndWaitForRoom(Self.events(1999))
        #expect(mailbox.take(limit: 8).map { $0.taken != nil } == [false])
    }

    @Test func `nobody waits for a closed one`() async {
        let mailbox = Mailbox()
        mailbox.close()
        await mailbox.addAndWaitForRoom(Self.events(5000))
        #expect(mailbox.take(limit: 8).isEmpty)
    }
}
