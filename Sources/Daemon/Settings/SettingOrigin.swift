/// Where a setting came from, as people can find it.
package enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    /// Lines and columns start at 1; columns count Unicode scalars.
    case file(String, line: Int, column: Int)
    /// A file as a whole.
    case wholeFile(String)
    case environment(String)
    case flag(String)
    case builtIn

    package var description: String {
        switch self {
        case .file(let file, let line, let column): "\(file):\(line):\(column)"
        case .wholeFile(let file): file
        case .environment(let name): name
        case .flag(let name): name
        case .builtIn: "built-in defaults"
        }
    }

    /// What stands first in the list of problems.
    var order: (Int, Int, Int) {
        switch self {
        case .wholeFile: (0, 0, 0)
        case .file(_, let line, let column): (0, line, column)
        case .environment: (1, 0, 0)
        case .flag: (2, 0, 0)
        case .builtIn: (3, 0, 0)
        }
    }
}
