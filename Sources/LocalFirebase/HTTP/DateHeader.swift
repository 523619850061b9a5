internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The `Date` header, made anew at most once a second and only when somebody asks.
final class DateHeader: Sendable {
    private let cached = Mutex((second: 0, text: ""))

    var text: String {
        let second = time(nil)
        return cached.withLock { cached in
            if cached.second != second {
                cached = (second, DateHeader.text(second))
            }
            return cached.text
        }
    }

    /// RFC 9110, 5.6.7. The program never leaves the C locale, so the names are English.
    private static func text(_ second: Int) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        return String(unsafeUninitializedCapacity: 64) { out in
            out.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts) }
        }
    }
}

/// Milliseconds since 1970.
func wallMilliseconds() -> Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
