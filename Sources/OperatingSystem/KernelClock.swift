internal import CLinux

/// What the kernel knows of its clock.
package struct KernelClock: Hashable, Sendable {
    /// Whether something keeps it right.
    package var isSynchronized: Bool
    /// How wrong it may be.
    package var errorMicroseconds: Int

    package init(isSynchronized: Bool, errorMicroseconds: Int) {
        self.isSynchronized = isSynchronized
        self.errorMicroseconds = errorMicroseconds
    }

    /// As it is now; nil where the kernel does not say.
    package static func now() -> KernelClock? {
        var state = timex()
        let code = adjtimex(&state)
        guard code >= 0 else { return nil }
        let isSynchronized = code != TIME_ERROR && state.status & STA_UNSYNC == 0
        return KernelClock(isSynchronized: isSynchronized, errorMicroseconds: Int(state.maxerror))
    }
}
