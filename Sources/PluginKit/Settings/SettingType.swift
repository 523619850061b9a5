/// What the values of a configuration key look like.
public struct SettingType: Hashable, Sendable {
    /// One of the words that a key takes.
    public struct Choice: Hashable, Sendable {
        public let word: String
        /// What it means, a sentence without the word itself; nil where the word says it.
        public let meaning: String?

        public init(_ word: String, _ meaning: String? = nil) {
            self.word = word
            self.meaning = meaning
        }
    }

    /// The kind of value, for people: `path`, `duration`, `host:port`.
    public let name: String
    /// All words that it takes; empty where there are no such words.
    public let choices: [Choice]
    /// Whether the value is a list of words.
    public let isList: Bool
    /// Whether the value is the path of a file, what stands in which counts too.
    public var isFile: Bool { name == "file" }

    public init(_ name: String, choices: [Choice] = [], isList: Bool = false) {
        self.name = name
        self.choices = choices
        self.isList = isList
    }
}
