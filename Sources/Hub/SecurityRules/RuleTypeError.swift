/// An expression can't be evaluated on this data: a wrong type, most often. The rule then refuses.
struct RuleTypeError: Error {}
