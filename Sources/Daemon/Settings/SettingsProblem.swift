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

    fileprivate var order: (Int, Int, Int) {
        switch self {
        case .wholeFile: (0, 0, 0)
        case .file(_, let line, let column): (0, line, column)
        case .environment: (1, 0, 0)
        case .flag: (2, 0, 0)
        case .builtIn: (3, 0, 0)
        }
    }
}

/// One thing that is wrong with the configuration: where, what, and what to do.
package struct SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var origin: SettingOrigin
    package var message: String

    package init(_ origin: SettingOrigin, _ message: String) {
        self.origin = origin
        self.message = message
    }

    package var description: String { "\(origin): \(message)" }
}

/// Everything that is wrong with the configuration, in the order of the file; never empty.
package struct SettingsRejected: Error, Equatable, Sendable, CustomStringConvertible {
    package var problems: [SettingsProblem]

    package init(_ problems: [SettingsProblem]) {
        self.problems = problems.sorted {
            $0.origin.order == $1.origin.order ? $0.message < $1.message : $0.origin.order < $1.origin.order
        }
    }

    /// One line a problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
