/// Who looks at a page, and what they may do there.
struct Reader: Hashable, Sendable {
    /// Who the person at the browser says they are.
    var person: String
    /// Whether forms are shown.
    var mayChange: Bool
    /// The address of the page without its part, to come back to.
    var address: String
    /// The enabled collections.
    var collections: Set<String>

    /// What every template of a form needs.
    var model: Model {
        ["person": .text(person), "mayChange": .flag(mayChange), "back": .text(address)]
    }
}
