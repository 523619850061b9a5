internal import PluginWire
internal import SyncModel

extension PluginExam {
    static var checking: [Case] {
        [
            Case(
                name: "check",
                promise: "judges a record the same way twice, takes its own work, keeps what it does not know",
                capability: "check"
            ) { candidate in
                _ = try await candidate.greeted { talk, declaration in
                    let collections = declaration.provides["check"]?.members?["collections"]
                    guard case .array(let names)? = collections, let collection = names.first else {
                        throw ExamFailure("it does not say for which collections it checks")
                    }
                    let fields: JSONValue = ["title": "Alien", "hasWatched": false, "x-unknown": ["kept": 1]]
                    let first = try await verdict(fields, collection, talk)
                    guard try await verdict(fields, collection, talk) == first else {
                        throw ExamFailure("it judges the same record in another way the second time")
                    }
                    guard let accepted = first else { return }
                    guard accepted.members?["x-unknown"] == ["kept": 1] else {
                        throw ExamFailure("it takes away a field that it does not know")
                    }
                    guard try await verdict(accepted, collection, talk) == accepted else {
                        throw ExamFailure("it changes or refuses what it returned itself")
                    }
                }
            }
        ]
    }

    /// The fields as it wants them; nil where it finds a defect.
    private static func verdict(
        _ fields: JSONValue, _ collection: JSONValue, _ talk: ExamTalk
    ) async throws -> JSONValue? {
        let reply = try await talk.call(
            "check", with: ["collection": collection, "fields": fields], within: .seconds(5))
        if reply.error?.code == .defect { return nil }
        return try reply.ok("check").members?["fields"] ?? fields
    }
}
