public import PluginKit
public import SyncModel

/// Musicians and bands: `name`, `biography`, and `yearFormed` as a number, or absent where it is not known.
///
/// Sources outside spell a missing year in several ways: null, "" and "0" (TheAudioDB), and 0 (the Favorite Artists
/// apps); all of them mean absent here.
public struct Artists: CollectionPlugin {
    public init() {}

    public var id: CollectionID { "artists" }
    public var columns: [String] { ["name", "yearFormed", "biography"] }
    public var textFields: Set<String> { ["name", "biography"] }

    public func validated(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        var fields = try named(fields)
        switch fields["yearFormed"] {
        case nil: break
        case .integer?, .number?: fields["yearFormed"] = try year(fields["yearFormed"])
        case .null?: fields["yearFormed"] = nil
        case .string("")?, .string("0")?: fields["yearFormed"] = nil
        case let value?: throw Defect(.invalidValue, "\"yearFormed\" is \(value.kind), not a whole number")
        }
        return fields
    }

    public func normalized(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        var fields = try named(fields)
        if let text = fields["yearFormed"]?.text {
            guard let number = Int64(text.isEmpty ? "0" : text) else {
                throw Defect(.unreadableRecord, "\"yearFormed\" is \"\(text.prefix(40))\", not a year")
            }
            fields["yearFormed"] = .integer(number)
        }
        fields["yearFormed"] = try year(fields["yearFormed"])
        return fields
    }

    private func named(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        var fields = fields
        guard let value = fields["name"], value != .null else {
            throw Defect(.missingKey, "the artist has no \"name\"")
        }
        guard let name = value.text else { throw Defect(.invalidValue, "\"name\" is \(value.kind), not a string") }
        guard name.contains(where: { !$0.isWhitespace }) else { throw Defect(.invalidValue, "\"name\" is empty") }
        switch fields["biography"] {
        case nil, .null?, .string("")?: fields["biography"] = nil
        case .string?: break
        case let value?: throw Defect(.invalidValue, "\"biography\" is \(value.kind), not a string")
        }
        return fields
    }

    /// The year as a whole number; nil for a missing one and for 0.
    private func year(_ value: JSONValue?) throws(Defect) -> JSONValue? {
        guard let value, value != .null else { return nil }
        guard let whole = value.whole else {
            throw Defect(.invalidValue, "\"yearFormed\" is \(value.kind), not a whole number")
        }
        return whole == 0 ? nil : .integer(whole)
    }
}
