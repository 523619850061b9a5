import Testing

@Suite struct DocumentedEventTests {
    @Test func `every event that is logged stands in the documents`() throws {
        let documents = try shippedFiles(in: "docs", ending: ".md").map(shipped).joined()
        var events: Set<String> = []
        for file in try shippedFiles(in: "Sources", ending: ".swift") {
            for part in try shipped(file).split(separator: "\"event\": \"").dropFirst() {
                let name = String(part.prefix { $0.isLetter || $0 == "." })
                if name.contains(".") { events.insert(name) }
            }
        }
        #expect(events.count > 50)
        #expect(events.filter { !documents.contains("`\($0)`") }.sorted() == [])
    }
}
