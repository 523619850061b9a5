internal import CLinux
internal import Glibc

/// The date and time of the system.
package enum WallClock {
    /// Whole seconds since 1970.
    package static var seconds: Int { time(nil) }

    /// Nanoseconds since 1970.
    package static var nanoseconds: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(max(0, now.tv_sec)) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    /// A time as HTTP writes it (RFC 9110, 5.6.7): `Sat, 21 Nov 2026 13:05:54 GMT`.
    ///
    /// By hand, because the Foundation of Swift 6.3 has no `HTTPFormatStyle`.
    ///
    /// - Parameter seconds: since 1970.
    package static func httpDate(_ seconds: Int) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        // No program of ours leaves the C locale, so the names are English.
        return String(unsafeUninitializedCapacity: 64) { out in
            out.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts) }
        }
    }
}
