import JSONText
import SyncModel

@testable import PluginWire

/// Lines of a plugin as the bytes of one piece.
func printed(_ lines: String...) -> ArraySlice<UInt8> { Array(lines.map { $0 + "\n" }.joined().utf8)[...] }

extension [UInt8] {
    /// The bytes as text, without the end of the line.
    var line: String { String(decoding: dropLast(), as: UTF8.self) }

    /// What a line to a plugin says.
    var message: [String: JSONValue] { (try? JSONReader.members(dropLast())) ?? [:] }
}

let shelf = PluginGreeting(version: "0.3.0", name: "shelf", settings: ["plot": "full"], secrets: ["key": "hunter22"])
let declared = PluginDeclaration(
    name: "shelf", version: "1.0", provides: ["catalog": ["search": true]], concurrency: 1, secrets: [])

/// The answer to `hello` of a plugin that provides something.
func hello(_ id: Int64 = 1, provides: String = #"{"catalog":{"search":true}}"#, more: String = "") -> String {
    #"{"id":\#(id),"ok":{"protocol":1,"name":"shelf","version":"1.0","provides":\#(provides)\#(more)}}"#
}
