/// What a variable puts in place of the values in the file; the variables of the keys themselves stand above it.
public struct SettingsOverride: Sendable {
    public let variable: String
    /// Texts by the names of keys.
    public let values: [String: String]

    public init(variable: String, values: [String: String]) {
        self.variable = variable
        self.values = values
    }
}
