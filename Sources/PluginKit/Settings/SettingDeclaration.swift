/// All that is known of a configuration key, apart from the type of its values.
///
/// Its check, its variable, the documents and the example file are made from it; a ``SettingKey`` holds one.
public struct SettingDeclaration: Sendable, CustomStringConvertible {
    /// As it is written, with the sections it stands in: `remote.tls.caFile`.
    public let name: String
    public let type: SettingType
    /// What it does, in whole sentences.
    public let summary: String
    /// The text that counts where no layer sets it, with commas between a list's elements; nil where there is none.
    public let builtIn: String?
    /// What counts where no layer sets it and there is no ``builtIn``, for people.
    public internal(set) var fallback: String?
    /// What the example file shows as its value; nil shows the built-in one.
    public internal(set) var example: String?
    /// Whether the example file sets it; where it does not, the key stands there in a comment.
    public internal(set) var isSetInExample: Bool
    /// Whether a reload puts a change in force; what can't change so needs a restart.
    public internal(set) var isReloadable = false
    /// The name by which a reload lists that it needs a restart: the section's, where one word is enough for it.
    public internal(set) var restartName: String
    /// The flag that sets it, without dashes.
    public internal(set) var flag: String?
    /// Reads a value of the key's type.
    let read: @Sendable (SettingInput) throws(SettingComplaint) -> any Hashable & Sendable

    init(
        _ name: String, _ type: SettingType, builtIn: String?, _ summary: String,
        read: @escaping @Sendable (SettingInput) throws(SettingComplaint) -> any Hashable & Sendable
    ) {
        self.name = name
        self.type = type
        self.summary = summary
        self.builtIn = builtIn
        isSetInExample = builtIn != nil
        restartName = name
        self.read = read
    }

    public var description: String { name }

    /// The name in its parts.
    public var path: [String] { name.split(separator: ".").map(String.init) }

    /// The environment variable that sets it: `MOVIESYNC_REMOTE_CREDENTIAL_FILE`.
    public var environmentName: String {
        var name = "MOVIESYNC"
        for part in path {
            name.append("_")
            var previous: Character = "_"
            for character in part {
                if previous.isLowercase, character.isUppercase { name.append("_") }
                name.append(character.isLetter || character.isNumber ? character.uppercased() : "_")
                previous = character
            }
        }
        return name
    }
}
