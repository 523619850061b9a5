/// The date format of HTTP headers (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Milliseconds since 1970; nil for any other format.
    package static func milliseconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let clock = words[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2]),
            let day = Int64(words[1]), (1...31).contains(day), let year = Int64(words[3]), (1970...9999).contains(year)
        else {
            return nil
        }
        let days = daysSince1970(year: year, month: Int64(month) + 1, day: day)
        return (((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]) * 1000
    }

    /// Counts the leap days before the first of March that begins the date's (Roman) year.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let romanYear = month > 2 ? year : year - 1
        let romanMonth = (month + 9) % 12
        let leapDays = romanYear / 4 - romanYear / 100 + romanYear / 400
        return romanYear * 365 + leapDays + (romanMonth * 306 + 5) / 10 + day - 1 - 719_468
    }
}
