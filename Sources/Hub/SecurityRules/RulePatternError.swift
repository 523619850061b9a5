/// A regular expression is not one that rules may have.
struct RulePatternError: Error {
    let message: String
}
