import ControlAPI
import ControlServer
import ControlTestSupport
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct PluginRouteTests {
    @Test func `the list has every key`() async throws {
        try await withServedSocket(FakeControlService(), plugins: FakePluginService()) { socket in
            let reply = try await ask("GET", "/v1/plugins", at: socket)
            #expect(
                reply.body == """
                    {"items":[{"calls":0,"failedCalls":0,"failures":5,"name":"far","openCalls":0,"pid":null,"program":null,\
                    "provides":{},"reason":"it closed the connection","retryAt":null,"secretsMissing":[],\
                    "since":"2026-11-20T20:15:04.120Z","starts":5,"state":"down","trust":"unit","version":null},\
                    {"calls":3,"failedCalls":1,"failures":0,"name":"shelf","openCalls":0,"pid":4712,"program":"shelf",\
                    "provides":{"catalog":{"search":true}},"reason":null,"retryAt":null,"secretsMissing":["key"],\
                    "since":"2026-11-20T20:15:04.120Z","starts":1,"state":"running","trust":"child","version":"1.0"}],\
                    "next":null}

                    """)
        }
    }

    @Test func `restarting is for those who may change something`() async throws {
        let plugins = FakePluginService()
        try await withServedSocket(FakeControlService(), plugins: plugins) { socket in
            let known = try await ask("POST", "/v1/plugins/far/restart", at: socket)
            let unknown = try await ask("POST", "/v1/plugins/near/restart", at: socket)
            #expect(known.body == "{\"done\":true}\n" && unknown.status == 404)
        }
        try await withServedSocket(FakeControlService(), plugins: plugins, allowedUIDs: []) { socket in
            let refused = try await ask("POST", "/v1/plugins/far/restart", at: socket)
            #expect(refused.status == 403)
        }
        #expect(plugins.restarted == ["far"])
    }

    @Test func `health knows of a page that can't be served`() async {
        struct StuckWeb: WebService {
            var trouble: String? { "the port is taken" }
            func link(opening: Bool) throws(ControlError) -> WebLinkReply { throw .webOff }
        }
        let view = DaemonView(
            service: FakeControlService(), plugins: NoPlugins(), hooks: NoHooks(), catalogs: NoCatalogs(),
            web: StuckWeb())
        let health = await view.health()
        #expect(health.level == .warning && health.reasons == ["the web page can't be served: the port is taken"])
    }

    @Test func `status, health and metrics know the plugins`() async throws {
        try await withServedSocket(FakeControlService(), plugins: FakePluginService()) { socket in
            let status = try await ask("GET", "/v1/status", at: socket).read(StatusSnapshot.self)
            #expect(status.plugins?.map(\.name) == ["far", "shelf"])
            let health = try await ask("GET", "/v1/health", at: socket)
            #expect(health.status == 200)
            #expect(
                try health.read(HealthReport.self)
                    == HealthReport(
                        level: .warning,
                        reasons: [
                            "the plugin far is down: it closed the connection: see moviesync plugin restart far"
                        ]))
            let metrics = try await ask("GET", "/metrics", at: socket).body
            for line in [
                #"moviesync_plugin_up{plugin="far"} 0"#, #"moviesync_plugin_up{plugin="shelf"} 1"#,
                #"moviesync_plugin_failed_calls_total{plugin="shelf"} 1"#,
                #"moviesync_plugin_failures_total{plugin="far"} 5"#,
            ] {
                #expect(metrics.contains(line + "\n"))
            }
        }
    }

    @Test func `without plugins status says null`() async throws {
        try await withServedSocket(FakeControlService()) { socket in
            let status = try await ask("GET", "/v1/status", at: socket).body
            let metrics = try await ask("GET", "/metrics", at: socket).body
            #expect(status.contains(#""plugins":null"#) && !metrics.contains("plugin"))
            let list = try await ask("GET", "/v1/plugins", at: socket)
            #expect(list.body == "{\"items\":[],\"next\":null}\n")
        }
    }
}
