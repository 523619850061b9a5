internal import ArgumentParser
internal import ControlAPI

extension ParsableCommand {
    /// The program and its arguments, of the words that end a command line: the parser leaves all of them from the first on
    /// that is no option of the command, whatever it is.
    ///
    /// - Throws: help or the version, where the words ask for it; a complaint about an option that the command does not have.
    func program(of words: [String]) throws -> [String] {
        guard let first = words.first, first.hasPrefix("-") else { return words }
        switch first {
        case "--": return Array(words.dropFirst())
        case "-h", "--help": throw CleanExit.helpRequest(self)
        case "--version": throw CleanExit.message(MoviesyncVersion.current)
        default: throw ValidationError("there is no option \(first)")
        }
    }
}
