import PluginKit
import SyncModel
import Systemd
import Testing

@testable import Daemon

@Suite struct SettingsReferenceTests {
    @Test func `the example file is made from the declarations`() throws {
        let made = SettingsReference(SettingsSchema(try .builtIn())).yaml
        #expect(try shipped("config/moviesync.yaml") == made, "run make docs")
    }

    @Test func `the tables of the documents are made from the declarations`() throws {
        let made = SettingsReference(SettingsSchema(try .builtIn())).markdown
        let page = try shipped("docs/configuration.md")
        #expect(page.contains("<!-- keys begin -->\n\n\(made)\n<!-- keys end -->\n"), "run make docs")
    }

    @Test func `the message catalog and the table of events are made from the events`() throws {
        #expect(try shipped("systemd/moviesync.catalog") == AlertableEvent.catalog, "run make docs")
        let page = try shipped("docs/operations.md")
        let table = "<!-- events begin -->\n\n\(AlertableEvent.table)\n<!-- events end -->\n"
        #expect(page.contains(table), "run make docs")
    }

    @Test func `no word of the message catalog is broken at a hyphen`() {
        for event in AlertableEvent.all {
            let words = event.explanation.split(separator: " ")
            #expect(words.allSatisfy { !$0.hasSuffix("-") }, "\(event.name)")
        }
    }

    @Test func `example and tables name every key`() throws {
        let schema = SettingsSchema(try .builtIn())
        let reference = SettingsReference(schema)
        for key in schema.declarations {
            #expect(reference.yaml.contains("\(key.path.last ?? ""):"))
            #expect(reference.markdown.contains("`\(key.name)`<br>`\(key.environmentName)`"))
        }
    }

    @Test func `every default is a value of its key`() async throws {
        #expect(try await SettingsFixture(yaml: nil).load().problems == [])
    }
}
