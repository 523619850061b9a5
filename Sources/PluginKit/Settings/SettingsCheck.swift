/// The values of all keys after each was read by itself, and the place to say what is wrong between them.
public struct SettingsCheck: Sendable {
    /// Something that is wrong with a key.
    public struct Problem: Hashable, Sendable {
        /// The key's name.
        public let key: String
        /// The name of the key whose place in the file people should look at.
        public let place: String
        /// What follows the key's name.
        public let message: String
    }

    /// A key whose own value was wrong has its fallback here.
    public let values: SettingValues
    /// The word of `remote.plugin`.
    public let plugin: String
    /// Reads a file whose content must not be seen by others, at an absolute path.
    public let readSecret: @Sendable (String) throws -> [UInt8]
    public private(set) var problems: [Problem] = []
    private let wrong: Set<String>

    /// - Parameter wrong: the names of the keys that a problem was said about already.
    public init(
        _ values: SettingValues, plugin: String, wrong: Set<String> = [],
        readSecret: @escaping @Sendable (String) throws -> [UInt8]
    ) {
        self.values = values
        self.plugin = plugin
        self.wrong = wrong
        self.readSecret = readSecret
    }

    /// Whether what somebody set can't be the key's value; a problem about it has been said.
    public func isWrong<Value>(_ key: SettingKey<Value>) -> Bool { wrong.contains(key.name) }

    /// - Parameter place: the name of the key where people should look, where that is not `key` itself.
    public mutating func complain<Value>(about key: SettingKey<Value>, at place: String? = nil, _ message: String) {
        problems.append(Problem(key: key.name, place: place ?? key.name, message: message))
    }
}
