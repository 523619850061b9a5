/// What reading the files of `users.tokens` once more has found.
package struct TokenNews: Hashable, Sendable {
    /// The sessions whose files hold another token, or can be read again: by name.
    package var changed: [String] = []
    /// The files that can't be read, and why: a line for people each.
    package var problems: [String] = []
}
