internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird

extension Endpoint {
    /// How the daemon is, for anybody who can connect; answered from memory, whatever hangs.
    static func watching(_ daemon: DaemonView) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.status) { _, _ in try .reply(await daemon.status()) },
            Endpoint(.get, ControlRoute.health) { _, _ in
                let health = await daemon.health()
                return try .reply(health, status: health.level == .critical ? .serviceUnavailable : .ok)
            },
            Endpoint(.get, ControlRoute.metrics) { _, _ in
                let text = MetricsText(of: await daemon.status(), health: await daemon.health()).text
                let headers: HTTPFields = [.contentType: "text/plain; version=0.0.4; charset=utf-8"]
                return Response(status: .ok, headers: headers, body: .init(byteBuffer: .init(string: text)))
            },
            Endpoint(.get, ControlRoute.plugins) { _, _ in try .reply(Page(items: daemon.plugins.plugins())) },
            Endpoint(.get, ControlRoute.hooks) { _, _ in try .reply(Page(items: await daemon.status().hooks ?? [])) },
        ]
    }
}
