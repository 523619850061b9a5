/// What the configuration says about people.
package struct UserSettings: Hashable, Sendable {
    /// The names of sessions, or the `uid`s of people, by the users of this machine.
    package var people: [UInt32: String] = [:]
    /// Where the refresh token of a session stands, by its name: files whose content must not be seen by others.
    package var tokens: [String: String] = [:]

    package init(people: [UInt32: String] = [:], tokens: [String: String] = [:]) {
        self.people = people
        self.tokens = tokens
    }
}
