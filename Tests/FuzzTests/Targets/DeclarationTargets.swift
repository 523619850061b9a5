import DeclaredCollections
import JSONText
import SyncModel

extension FuzzTarget {
    /// The declaration of a collection. One that is taken has to keep the promises that all collections give.
    static let declaration = FuzzTarget(
        "declaration",
        seeds: [
            #"{"columns":["t"],"fields":{"t":{"type":"text","required":true},"n":{"type":"integer","default":1}}}"#,
            #"{"noun":"x","columns":["t","d"],"identity":["k"],"fields":{"t":{"type":"text","required":true},"#
                + #""d":{"type":"date"},"l":{"type":"texts","merge":"set","maxCount":2,"oneOf":["a","b"]},"#
                + #""f":{"type":"number","minimum":-1.5,"maximum":2e9,"absent":[0,""]}}}"#,
        ],
        words: [
            #""type":"#, #""any""#, #""bool""#, #""default":"#, #""absent":"#, #""titleField":"t""#, "null", "true",
            "[]",
            "{}", "1e300", "-0.0", #""$""#,
        ]
    ) { input in
        do {
            let plugin = DeclaredCollection(try CollectionDeclaration(name: "things", text: input))
            try promise(plugin.columns.contains(plugin.titleField), "a title that is no column")
            try promise(plugin.defaults.values.allSatisfy { $0.pruned == $0 }, "a default that is not stored as it is")
            for text in ["x", "1", ""] {
                var fields: [String: JSONValue] = [plugin.titleField: "x"]
                for name in plugin.columns { fields[name] = fields[name] ?? .string(text) }
                guard let checked = try? plugin.validated(fields) else { continue }
                let stored = Content(fields: checked)
                let again = try plugin.validated(stored.fields)
                try promise(Content(fields: again) == stored, "checking again changes something")
            }
            return true
        } catch let rejected as DeclarationRejected {
            try promise(!rejected.problems.isEmpty, "refused without a word")
            for problem in rejected.problems { try promiseOneLine(Finding("\(problem.message)")) }
            return false
        }
    }
}
