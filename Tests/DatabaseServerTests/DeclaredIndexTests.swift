import DatabaseTree
import FirebaseWire
import Foundation
import TestSupport
import Testing

@testable import DatabaseServer

/// What `.indexOn` declares is kept as an index from the moment where it is worth it.
@Suite(.timeLimit(.minutes(1)))
struct DeclaredIndexTests {
    private static let rules = #"{"rules":{"movies":{".indexOn":["year"]}}}"#

    @Test(arguments: [false, true])
    func `what comes into an empty database gets its index before anybody asks for it`(isLarge: Bool) async throws {
        let folder = try TemporaryFolder()
        try Data(Self.rules.utf8).write(to: URL(filePath: folder("rules.json")))
        let queue = try await LooseQueue(folder.path, rules: folder("rules.json"))
        let movies = try WirePath(parsing: "/movies")
        let members = (0..<2000).map { #""m\#($0)":{"year":\#($0)}"# }
        let films = "{\(members.joined(separator: ","))}"
        if isLarge {
            _ = try await queue.large(.patch, "/movies", films)
        } else {
            try await queue.put("/movies", films)
        }
        let year = Query.Order.child(try WirePath(parsing: "year"))
        while !queue.commits.root("db").isOrdered(year, at: movies) { await queue.commits.betweenCommits {} }
        try await queue.put("/movies/new", #"{"year":-1}"#)
        let root = queue.commits.root("db")
        #expect(root.isOrdered(year, at: movies))
        let first = root.selected(at: movies, by: Query(year, limit: Query.Limit(1))) {}
        #expect(first.map(\.key.text) == ["new"])
        try await queue.close()
    }
}
