/// Something that reads bytes of others, and what must hold of it whatever they are.
struct FuzzTarget: Sendable {
    /// Reads one input. True where it was taken, false where it was refused in the way it should be.
    ///
    /// Throws a ``Finding``, or anything else, where a promise is broken.
    typealias Trial = @Sendable ([UInt8]) async throws -> Bool

    let name: String
    /// Inputs to begin with, among them such as are taken.
    let seeds: [String]
    /// Pieces that mean something to the reader.
    let words: [String]
    /// How many inputs the short run of the normal tests has.
    let turns: Int
    /// Lends the trial, with whatever it needs running.
    let lend: @Sendable (_ body: @Sendable (Trial) async throws -> Void) async throws -> Void

    init(_ name: String, seeds: [String], words: [String] = [], turns: Int = 250, trial: @escaping Trial) {
        self.init(name, seeds: seeds, words: words, turns: turns) { try await $0(trial) }
    }

    init(
        _ name: String, seeds: [String], words: [String] = [], turns: Int,
        lend: @escaping @Sendable (_ body: @Sendable (Trial) async throws -> Void) async throws -> Void
    ) {
        self.name = name
        self.seeds = seeds
        self.words = words
        self.turns = turns
        self.lend = lend
    }

    static let all: [FuzzTarget] = [
        .journal, .json, .eventStream, .putSplitter, .recordBody, .controlSocket, .controlReply, .configuration,
        .securityRules, .putBody, .patchBody, .restRequest, .plugin, .pluginLog, .declaration, .accountCall,
        .catalog, .socket, .webPage, .pictureCall,
    ]

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A promise that an input has shown to be broken.
struct Finding: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Throws a ``Finding`` where `condition` does not hold.
func promise(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Finding(what()) }
}

/// An error for people is one line, and not a whole input.
func promiseOneLine(_ error: any Error) throws {
    let text = "\(error)"
    let breaks = text.unicodeScalars.contains {
        [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    try promise(!breaks, "an error of more than one line: \(text.debugDescription.prefix(300))")
    try promise(text.utf8.count < 4_000, "an error of \(text.utf8.count) bytes: \(text.prefix(300))")
    try promise(!text.isEmpty, "an error without words")
}

/// Sizes to cut an input into: small ones, and one that grows with it, so that long inputs do not take long.
func cuts(_ input: [UInt8]) -> [Int] { [1, 7, 2, 1 + input.count / 40] }
