/// Two plugins of one kind have the same name, or declare the same configuration key.
public struct DuplicatePlugin: Error, Sendable, CustomStringConvertible {
    public let name: String
    public var description: String { "two built-in plugins claim the name \(name): one of them must use another" }
}
