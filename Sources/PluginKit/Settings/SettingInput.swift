/// The text of a setting as somebody wrote it, and what paths in it mean there.
public struct SettingInput: Sendable {
    /// The elements of a list; a single value is one element.
    public let elements: [String]
    /// Makes a path absolute; a relative one starts from the folder of what names it.
    public let absolutePath: @Sendable (String) -> String
    /// The same for a file of secrets, which is looked for among the credentials of the service manager first.
    public let secretPath: @Sendable (String) -> String

    public init(
        _ elements: [String], absolutePath: @escaping @Sendable (String) -> String,
        secretPath: @escaping @Sendable (String) -> String
    ) {
        self.elements = elements
        self.absolutePath = absolutePath
        self.secretPath = secretPath
    }

    /// The single value.
    public var text: String { elements.first ?? "" }

    /// The single value in quotes, for a complaint: short, on one line, and without what may be secret in an address.
    public var quoted: String { Self.quoted(text) }

    public static func quoted(_ text: String) -> String {
        let shown = withoutSecrets(text).prefix(80)
        return "\"" + shown.map { $0.isNewline || ($0.asciiValue ?? 0x20) < 0x20 ? "?" : String($0) }.joined() + "\""
    }

    /// An address without its user and password, and its query; any other text as it is.
    private static func withoutSecrets(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        var rest = text[scheme.upperBound...]
        if let end = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) { rest = rest[..<end] + "…" }
        if let user = rest.lastIndex(of: "@") { rest = "…" + rest[user...] }
        return String(text[..<scheme.upperBound] + rest)
    }
}
