internal import FoundationEssentials
internal import HookDelivery
internal import PluginKit
internal import SyncModel

/// The configuration keys of who is told that all is well.
enum HealthKeys {
    static let heartbeat = SettingKey<String?>(
        "health.heartbeat.url", SettingType("URL"), fallback: nil,
        """
        An address that is called again and again while "moviesync health" says ok, and not otherwise, so that a service \
        that waits for it can tell somebody. Its path never stands in a log.
        """
    ) { input throws(SettingComplaint) in
        guard !input.text.isEmpty else { return nil }
        let url = URL(string: input.text)
        guard let url, ["http", "https"].contains(url.scheme ?? ""), url.host?.isEmpty == false else {
            throw SettingComplaint("must be an address such as https://hc.example.org/ping/…")
        }
        if let parts = URLComponents(string: input.text), ServerAddress.hasUserOrFragment(parts) {
            throw SettingComplaint(ServerAddress.complaint)
        }
        guard ServerPort.isUsable(in: input.text) else { throw SettingComplaint(ServerAddress.portComplaint) }
        return input.text
    }.reloadable().example("https://hc.example.org/ping/my-node")

    static let every = SettingKey.duration(
        "health.heartbeat.every", default: "60s", "How often it is called; less than 1s counts as 1s."
    ).reloadable()

    static let declarations = [heartbeat.declaration, every.declaration]

    static func heartbeat(_ settings: Settings) -> Heartbeat.Settings {
        .init(url: settings[heartbeat], every: max(1_000, settings[every].milliseconds))
    }
}
