import HTTPCalling
import NIOHTTP1
import Testing

@Suite struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199_000), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200_000),
            ("Wed, 31 Dec 2025 12:00:00 GMT", 1_767_182_400_000), ("", nil), ("yesterday", nil),
            ("Sun, 9223372036854775807 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 9223372036854775807:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
        ] as [(String, Int64?)])
    func `an HTTP date is milliseconds since 1970`(text: String, expected: Int64?) {
        #expect(HTTPDate.milliseconds(text) == expected)
    }

    @Test(
        arguments: [
            (["Retry-After": "7"], 7), (["Retry-After": "900000"], 86_400), (["Retry-After": "-1"], nil),
            (["Retry-After": "99999999999999999999"], 86_400), (["Retry-After": "4.0"], 4),
            (["Retry-After": "nan"], nil),
            (["Retry-After": "soon"], nil), ([:], nil),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], 30),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Mon, 07 Nov 1994 08:49:37 GMT"], 0),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], 60),
            (["Retry-After": "Mon, 06 Nov 2034 08:49:37 GMT"], 86_400),
        ] as [(KeyValuePairs<String, String>, Int?)])
    func `what a server asks for is read in seconds and as a date, a day at most`(
        headers: KeyValuePairs<String, String>, seconds: Int?
    ) {
        let headers = HTTPHeaders(headers.map { ($0, $1) })
        #expect(headers.retryAfter(now: 784_111_717_000) == seconds.map { .seconds($0) })
    }
}
