import ExampleBooks
import PluginConformance
import SyncModel
import Testing

struct ExampleBooksTests {
    @Test func `keeps the promises of a collection`() {
        let samples = CollectionSamples(
            accepted: [["title": "Emma", "author": "Jane Austen", "isbn": "0141439580", "isRead": true]],
            refused: [["author": "Jane Austen"], ["title": "Emma", "isRead": "yes"]],
            foreign: [["title": "Emma", "isRead": 1]])
        #expect(CollectionConformance.run(Books(), samples) == [])
    }
}
