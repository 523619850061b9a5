/// Everything that is wrong with the configuration, in the order of the file; never empty.
package struct SettingsRejected: Error, Equatable, Sendable, CustomStringConvertible {
    package var problems: [SettingsProblem]

    package init(_ problems: [SettingsProblem]) {
        self.problems = problems.sorted {
            $0.origin.order == $1.origin.order ? $0.message < $1.message : $0.origin.order < $1.origin.order
        }
    }

    /// The first problem, and how many more there are.
    package var inOneLine: String {
        let others = problems.count - 1
        return (problems.first?.description ?? "") + (others > 0 ? ", and \(others) more" : "")
    }

    /// One line a problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
