import ControlAPI
import ControlTestSupport
import Foundation
import Logging
import NIOCore
import OperatingSystem
import SyncModel
import TestSupport
import WebFace

extension FuzzTarget {
    /// Bytes that a browser, or somebody in its place, sends to the web page. `COOKIE` stands for that of one who is in.
    static let webPage = FuzzTarget(
        "webPage",
        seeds: [
            page("GET", "/"), page("GET", "/?filter=%C3%A9&show=watched&from=101&part=films"),
            page("GET", "/live?after=3"),
            page("GET", "/film/6F9619FF-8B86-4011-B42D-00C04FC964FF?history=7"),
            page("GET", "/art/tmdb:%2Fa.jpg?width=92"),
            page("GET", "/search?catalog=tmdb&query=alien&year=1979"), page("HEAD", "/style.css"),
            page("GET", "/login?token=00"), page("GET", "/attention?conflicts=7&quarantine=8"),
            page("POST", "/films", "title=A%26b&year=1979&watched=true&back=%2F%3Ffrom%3D101"),
            page("POST", "/film/6F9619FF-8B86-4011-B42D-00C04FC964FF/review", "as=local&text=x&rating=9"),
            page("POST", "/holds/7/approve", "x=y"), page("POST", "/search/save", "set=5ca1ab1e&pick=2&pick=3"),
            page("POST", "/person", "person=anna"),
        ],
        words: [
            "GET ", "POST ", "/film/", "/vote", "Host: ", "localhost", "[::1]", "Origin: http://localhost\r\n",
            "Content-Length: ", "Transfer-Encoding: chunked\r\n", "%00", "%2F", "//", "part=", "from=", "back=", "as=",
            "Cookie: COOKIE\r\n", "Sec-Fetch-Site: cross-site\r\n", "If-None-Match: ", "Last-Event-ID: ",
        ],
        turns: 40
    ) { body in
        try await withTemporaryFolder { folder in
            let web = try served("\(folder)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await web.run() }
                let port = web.address.split(separator: ":").last.flatMap { Int($0) } ?? 0
                let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
                let link = web.link().url.split(separator: "/").last ?? ""
                let entry = try await exchange(Array(page("GET", "/\(link)").utf8), at: address)
                let found = String(decoding: entry, as: UTF8.self).firstMatch(of: /moviesync-[0-9a-f]+=[0-9a-f]+/)
                let cookie = found.map { String($0.0) } ?? "none"
                try await body { input in
                    let request = String(decoding: input, as: UTF8.self).replacing("COOKIE", with: cookie)
                    return try await judge(Array(request.utf8), at: address, cookie)
                }
                group.cancelAll()
            }
        }
    }

    private static func judge(_ request: [UInt8], at address: SocketAddress, _ cookie: String) async throws -> Bool {
        let text = String(decoding: try await exchange(request, at: address), as: UTF8.self)
        let alive = try await exchange(Array(page("GET", "/icon.svg").utf8), at: address)
        try promise(alive.starts(with: "HTTP/1.1 200 ".utf8), "the page answers nobody any more")
        try promise(!text.hasPrefix("HTTP/1.1 500 "), "the page failed: \(text.prefix(300))")
        try promise(!text.contains("<img src=x"), "what others wrote is markup: \(text.prefix(300))")
        let isIn = String(decoding: request, as: UTF8.self).contains(cookie)
        try promise(isIn || !text.contains("data-film"), "a stranger sees the library")
        return text.hasPrefix("HTTP/1.1 2") || text.hasPrefix("HTTP/1.1 303")
    }

    private static func served(_ folder: String) throws -> WebFace {
        var state = FakeControlService.State()
        var evil = FakeControlService.brazil
        evil.fields["title"] = "<img src=x onerror=x>"
        state.records = [FakeControlService.alien, evil]
        state.status.journal.path = folder + "/journal.jsonl"
        let service = FakeControlService(state)
        return try WebFace(
            [try TCPListener.bind(host: "127.0.0.1", port: 0)], WebSettings(), sessions: folder + "/sessions.json",
            DaemonServices(
                service: service, catalogs: FakeCatalogService(), artwork: NoArtwork(), status: { service.status() }),
            .init(wall: { FakeControlService.moment.milliseconds }, sleep: sleepWhileTimeStands),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private static func page(_ method: String, _ path: String, _ form: String = "") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nCookie: COOKIE\r\nConnection: close\r\n"
            + (form.isEmpty ? "" : "Content-Length: \(form.utf8.count)\r\n") + "\r\n" + form
    }
}
