internal import JSONText
internal import PluginKit
internal import SyncModel

/// The promises of a collection plugin, one function each; collects those that are broken.
struct PromiseCheck {
    typealias Fields = [String: JSONValue]
    typealias Reading = (Fields) throws(Defect) -> Fields

    let plugin: any CollectionPlugin
    private(set) var broken: [String] = []

    init(plugin: any CollectionPlugin) { self.plugin = plugin }

    private mutating func expect(_ holds: Bool, _ promise: String, _ fields: Fields) {
        if !holds { broken.append("\(plugin.id): \(promise): \(JSONWriter.string(.object(fields)))") }
    }

    /// The fields as every node has them after the remote stored them.
    private func stored(_ fields: Fields) -> Content { Content(fields: fields) }

    // MARK: Names

    mutating func checkNames(_ samples: CollectionSamples) {
        expect(CollectionID(plugin.id.name) != nil, "the id is a valid collection name", [:])
        expect(!plugin.columns.isEmpty, "at least one column", [:])
        expect(plugin.columns.contains(plugin.titleField), "the title field is a column", [:])
        expect(plugin.textFields.contains(plugin.titleField), "the title field is a text field", [:])
        expect(
            plugin.defaults.values.allSatisfy { $0.pruned == $0 }, "defaults are stored as they are", plugin.defaults)
        expect(!samples.accepted.isEmpty, "at least one accepted sample", [:])
        let id = RecordID(high: 0x6F96_19FF_8B86_4011, low: 0xB42D_00C0_4FC9_64FF)
        let other = RecordID(high: 0, low: 0)
        let identifying = plugin.identityFields(id)
        expect(identifying == plugin.identityFields(id), "the identifying keys are the same every time", identifying)
        expect(
            Set(identifying.keys) == Set(plugin.identityFields(other).keys),
            "the identifying keys do not depend on the record", identifying)
        for key in identifying.keys {
            expect(
                !key.isEmpty && !key.contains { ".$#[]/".contains($0) } && key != "_v" && key != "_t",
                "an identifying key can stand in the database", identifying)
        }
        expect(identifying.values.allSatisfy { $0.pruned != nil }, "identifying values are stored", identifying)
    }

    // MARK: What programs write

    mutating func checkAccepted(_ fields: Fields) {
        guard let checked = taken(fields, "an accepted sample is taken", plugin.validated) else { return }
        checkSettled(checked)
        for name in plugin.textFields {
            let value = checked[name] ?? .null
            expect(value == .null || value.text != nil, "the value of a text field is a string", checked)
        }
        expect(checked[plugin.titleField]?.text != nil, "the title field names the record", checked)
        checkDefaults(fields)
    }

    /// A field that nobody wrote has its default, on whichever side the record was made.
    private mutating func checkDefaults(_ fields: Fields) {
        for (name, value) in plugin.defaults {
            for bare in [fields.filter { $0.key != name }, fields.merging([name: .null]) { _, null in null }] {
                for reading in [plugin.validated, plugin.normalized] as [Reading] {
                    guard let read = taken(bare, "a record without \"\(name)\" is taken", reading) else { continue }
                    expect(read[name] == value, "a record without \"\(name)\" has its default", bare)
                }
            }
        }
    }

    mutating func checkRefused(_ fields: Fields, by reading: Reading) {
        do {
            let taken = try reading(fields)
            expect(false, "a refused sample is refused, but became \(JSONWriter.string(.object(taken)))", fields)
        } catch {
            checkWords(of: error, fields)
        }
    }

    private mutating func checkWords(of defect: Defect, _ fields: Fields) {
        expect(!defect.code.word.isEmpty, "a defect has a code", fields)
        expect(
            !defect.message.isEmpty && !defect.message.contains { $0.isNewline },
            "a defect's message is one line, not \"\(defect.message)\"", fields)
    }

    private mutating func taken(_ fields: Fields, _ promise: String, _ reading: Reading) -> Fields? {
        do {
            return try reading(fields)
        } catch {
            expect(false, "\(promise), but: \(error.message)", fields)
            return nil
        }
    }

    /// A record that was checked once is left alone from then on: by another check, by the remote's storing, and by
    /// whoever reads it as an app's. Else two nodes, or two releases, would write against each other for ever.
    private mutating func checkSettled(_ checked: Fields) {
        let content = stored(checked)
        for (name, fields) in [("itself", checked), ("what the remote gives back", content.fields)] {
            if let again = taken(fields, "checking \(name) again is taken", plugin.validated) {
                expect(stored(again) == content, "checking \(name) again changes nothing", fields)
            }
            if let read = taken(fields, "reading \(name) as an app's is taken", plugin.normalized) {
                expect(stored(read) == content, "reading \(name) as an app's changes nothing", fields)
            }
        }
        for name in plugin.identityFields(RecordID(high: 0, low: 0)).keys {
            expect(checked[name] == nil, "identifying keys are not part of the content", checked)
        }
        expect(checked["_v"] == nil && checked["_t"] == nil, "the daemon's own keys are not used", checked)
    }

    mutating func checkUnknownFields(_ fields: Fields) {
        let plugin = plugin
        let unknown: Fields = [
            "fieldOfALaterRelease": ["nested": ["deep": [1, 2.5, "three", true]]], "anotherOne": "0", "zero": 0,
        ]
        let all = fields.merging(unknown) { known, _ in known }
        for (name, reading) in [("checking", plugin.validated), ("reading", plugin.normalized)] as [(String, Reading)] {
            guard let taken = taken(all, "\(name) takes unknown fields", reading) else { continue }
            for (key, value) in unknown where fields[key] == nil {
                expect(taken[key] == value, "\(name) keeps an unknown field untouched", all)
            }
        }
    }

    // MARK: What apps write

    mutating func checkForeign(_ fields: Fields) {
        guard let understood = taken(fields, "a foreign sample is understood", plugin.normalized) else { return }
        let content = stored(understood)
        for (name, fields) in [("itself", understood), ("what the remote gives back", content.fields)] {
            if let again = taken(fields, "reading \(name) again is taken", plugin.normalized) {
                expect(stored(again) == content, "reading \(name) again changes nothing", fields)
            }
        }
    }

    // MARK: Anything

    /// Puts values of every kind into every field: refused in words, or taken and settled; never a crash.
    mutating func checkAnyValues(_ fields: Fields) {
        let values: [JSONValue] = [
            .null, true, false, 0, 1, -1, .integer(.max), .integer(.min), 1.5, 1e300, 5.0, "", " ", "\n", "0", "1",
            "true", "ünï", .string(String(repeating: "x", count: 5000)), [], [nil], [1], [:], ["a": nil], ["a": 1],
        ]
        for name in Set(fields.keys).union(plugin.columns) {
            for value in values { checkAny(fields.merging([name: value]) { _, odd in odd }) }
            checkAny(fields.filter { $0.key != name })
        }
    }

    private mutating func checkAny(_ fields: Fields) {
        let outcome = Result { () throws(Defect) in try plugin.validated(fields) }
        expect(
            outcome == Result { () throws(Defect) in try plugin.validated(fields) },
            "the same fields give the same answer", fields)
        switch outcome {
        case .success(let checked): checkSettled(checked)
        case .failure(let defect): checkWords(of: defect, fields)
        }
        switch Result(catching: { () throws(Defect) in try plugin.normalized(fields) }) {
        case .success: checkForeign(fields)
        case .failure(let defect): checkWords(of: defect, fields)
        }
    }
}
