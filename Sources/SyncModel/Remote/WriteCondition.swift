/// What must hold at the moment of a conditional write.
public enum WriteCondition: Hashable, Sendable {
    case absent
    case matches(etag: String)
}
