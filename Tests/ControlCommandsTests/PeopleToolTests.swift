import ControlAPI
import ControlTestSupport
import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// The built program, and what people say about films.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct PeopleToolTests {
    @Test(arguments: [[], ["--title", "Alien"]] as [[String]])
    func `a favourite where none are kept is refused as other edits are`(options: [String]) async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService.full()
            service.change { $0.status.journal.path = "\(folder)/journal.jsonl" }
            try await withServedSocket(service) { socket in
                let run = try await moviesync(["favourite", "add", "348"] + options, socket: socket)
                #expect(run.exitCode == 64 && run.output.isEmpty)
                let words =
                    "no enabled collection is called 'favourites' (collections.enabled does not name it); there are: "
                #expect(run.complaint.contains(words), "\(run.complaint)")
            }
            #expect((try? lines(of: "\(folder)/journal.jsonl")) == nil)
        }
    }
}
