internal import PluginKit
internal import WebFace

/// The configuration keys of the web page.
enum WebKeys {
    static let listen = SettingKey<ListenAddress?>(
        "web.listen", SettingType("host:port"), fallback: nil,
        """
        Where the web page is served; without it there is none, unless systemd \
        holds its socket. "moviesync web" prints a link that lets a browser in. \
        TLS is the business of a proxy before it.
        """
    ) { input throws(SettingComplaint) in
        guard !input.text.isEmpty else { return nil }
        guard let address = ListenAddress(input.text) else {
            throw SettingComplaint("is \(input.quoted), but must be host:port, such as 127.0.0.1:9080")
        }
        return address
    }.reloadable().example("127.0.0.1:9080")

    static let hosts = HostNames.key(
        "web.hosts",
        """
        Names by which people reach the page, besides `localhost` and the loopback addresses. Requests by any other name \
        are refused, because a page of somebody else can make its own name point here.
        """
    ).reloadable()

    static let readOnly = SettingKey.bool(
        "web.readOnly", default: false, "Show everything there, and let nothing be changed."
    ).reloadable()

    static let declarations = [listen.declaration, hosts.declaration, readOnly.declaration]

    static func wish(_ settings: Settings) -> WebDoor.Wish {
        .init(listen: settings[listen], settings: WebSettings(hosts: settings[hosts], readOnly: settings[readOnly]))
    }
}
