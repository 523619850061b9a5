extension Duration {
    /// Whole milliseconds; 0 for a negative duration.
    package var milliseconds: UInt64 {
        let parts = components
        return UInt64(max(0, parts.seconds)) * 1000 + UInt64(max(0, parts.attoseconds)) / 1_000_000_000_000_000
    }
}
