/// What is done with lines while a check can't be asked.
package enum WhenDown: String, CaseIterable, Sendable {
    /// They wait.
    case wait
    /// They are taken unchecked.
    case accept
    /// They are refused.
    case refuse
}

/// One check of a collection.
package struct CheckRule: Hashable, Sendable {
    package var name: String
    package var whenDown: WhenDown

    package init(name: String, whenDown: WhenDown) {
        self.name = name
        self.whenDown = whenDown
    }
}

/// What a check says about a record.
package enum CheckAnswer: Hashable, Sendable {
    case fine
    /// The record as it should be.
    case completed([String: JSONValue])
    /// One line: what is wrong with it.
    case refused(String)
    /// It can't be asked now, and why.
    case down(String)
}
