/// The longest that a write may take, by an estimate from its size.
enum WriteSizeLimit: String, Sendable {
    case tiny, small, medium, large, unlimited

    /// Writes are taken to proceed at this many bytes a second.
    private static let rate = 5 << 20

    /// The most bytes that a write may put and remove; nil for any number. These are 1, 10, 30 and 60 seconds, so that
    /// `large` admits the largest request.
    var bytes: Int? {
        switch self {
        case .tiny: WriteSizeLimit.rate
        case .small: 10 * WriteSizeLimit.rate
        case .medium: 30 * WriteSizeLimit.rate
        case .large: 60 * WriteSizeLimit.rate
        case .unlimited: nil
        }
    }
}
