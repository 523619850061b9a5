package import SyncModel

extension QuarantinedItem {
    private static let day: UInt64 = 86_400_000

    /// Whether another attempt is due that nothing else would bring about: 10 minutes after the first one, 20, 40 and so on,
    /// then once a day (`docs/protocol.md` sections 7 and 8).
    ///
    /// - Parameter now: by this machine's clock, in milliseconds since 1970.
    package func isDue(at now: UInt64) -> Bool {
        switch source {
        case .push where defect.code == .refused: break
        case .pull where defect.code == .unreadableRecord: break
        default: return false
        }
        let made = UInt64(clamping: max(1, attempts))
        let wait = made <= 8 ? 600_000 << (made - 1) : QuarantinedItem.day * (made - 7)
        // The clock may have been ahead then.
        return now >= since + wait || now < since
    }
}
