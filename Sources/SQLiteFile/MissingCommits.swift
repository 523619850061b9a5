/// Commits that were acknowledged are not in the file any more.
package struct MissingCommits: Error, Sendable, CustomStringConvertible {
    package let description: String
}
