package import DatabaseServer
package import PluginKit

/// The configuration keys of the built-in hub; `serve-firebase` has a flag for each.
package enum LocalKeys {
    package static let listen = SettingKey<ListenAddress>(
        "local.listen", SettingType("host:port"), builtIn: defaultAddress.description, fallback: defaultAddress,
        """
        Where to listen; port 0 takes any free one. Where other machines can reach it, TLS and rules must be set.
        """
    ) { input throws(SettingComplaint) in
        guard let address = ListenAddress(input.text) else {
            throw SettingComplaint("is \(input.quoted), but must be host:port, such as \(defaultAddress)")
        }
        return address
    }.restartName(section)

    package static let data = SettingKey.path("local.data", "The folder of the data.")
        .otherwise("`firebase` in the state folder").shipped("/var/lib/moviesync/firebase").restartName(section)

    package static let fsync = SettingKey<Fsync>.word(
        "local.fsync", default: .always,
        meanings: [
            .always: "before its answer.", .interval: "within a second.",
            .never: "whenever the system writes it out.",
        ],
        """
        When a write is on the disk. A kill of the daemon takes nothing with any of them; a power cut takes what is not \
        on the disk.
        """
    ).restartName(section)

    package static let keepAlive = SettingKey.duration(
        "local.keepAlive", default: "30s",
        """
        The keep-alive interval of event streams; clients count on hearing something every 30 s or so.
        """
    ).restartName(section)

    package static let rules = SettingKey.secretFile(
        "local.rules",
        """
        Security rules in JSON for the databases that have none of their own. Without rules everybody may do everything; \
        the daemon itself always gets in.
        """
    ).example("database.rules.json").restartName(section)

    package static let secret = SettingKey.secretFile(
        "local.secret",
        """
        A file of mode 0600 with one line: whoever sends it as token is an administrator. A relative name is looked for \
        in the credentials of the unit first.
        """
    ).example("hub-secret").restartName(section)

    package static let tokenKey = SettingKey.secretFile(
        "local.tokenKey",
        """
        What the ID tokens of users are signed with: public keys or certificates in PEM, a JSON Web Key Set, Google's \
        object of certificates, or one line of 32 bytes or more for HS256 (mode 0600).
        """
    ).example("securetoken.json").restartName(section)

    package static let project = SettingKey.text(
        "local.project",
        "The project that ID tokens must be for; those of the hub's own accounts are for `moviesync` without it."
    ).example("my-project").restartName(section)

    package static let accounts = SettingKey.bool(
        "local.accounts", default: false,
        """
        Serve accounts as Firebase Authentication does: sign-up, sign-in, tokens. Always so with `local.emulator`.
        """
    ).restartName(section)

    package static let emailPrivacy = SettingKey.bool(
        "local.emailPrivacy", default: true,
        "Whether nobody learns whether an e-mail address has an account; never so with `local.emulator`."
    ).restartName(section)

    package static let codesTo = SettingKey.path(
        "local.codesTo",
        """
        A program that hands on codes for e-mail addresses, which otherwise reach nobody; with `local.emulator` they are \
        in the log. It gets the kind of the code as argument and the rest as JSON on standard input.
        """
    ).example("/usr/local/lib/mail-code").restartName(section)

    package static let emulator = SettingKey.bool(
        "local.emulator", default: false,
        "For tests of apps: accept \"Bearer owner\" as an administrator, and ID tokens without signature."
    ).restartName(section)

    package static let insecure = SettingKey.bool(
        "local.insecure", default: false, "Listen where other machines can reach it, also without TLS or rules."
    ).restartName(section)

    package static let certificate = SettingKey.secretFile(
        "local.tls.cert", "The server's certificate and what leads to its authority, in PEM; needs the key."
    ).example("hub.pem").restartName(section)

    package static let key = SettingKey.secretFile(
        "local.tls.key", "The certificate's private key, in PEM (mode 0600)."
    ).example("hub.key").restartName(section)

    package static let hosts = HostNames.key(
        "local.hosts",
        """
        Names by which people reach a hub without rules, besides addresses in numbers and `localhost`. Requests by any \
        other name are refused, because a web page can make its own name point here.
        """
    ).restartName(section)

    package static let maxBody = SettingKey<Int>(
        "local.maxBody", SettingType("bytes"), builtIn: String(defaultMaxBody), fallback: defaultMaxBody,
        "The most bytes of a request's body; a quarter of it for nobody in particular, where rules hold."
    ) { input throws(SettingComplaint) in
        guard let bytes = Int(input.text), bodySizes.contains(bytes) else {
            throw SettingComplaint("is \(input.quoted), but must be a whole number of bytes, from 1024 to 4294967296")
        }
        return bytes
    }.restartName(section)

    static let declarations = [
        listen.declaration, data.declaration, fsync.declaration, keepAlive.declaration, rules.declaration,
        secret.declaration, tokenKey.declaration, project.declaration, accounts.declaration, emailPrivacy.declaration,
        codesTo.declaration, emulator.declaration, insecure.declaration,
        certificate.declaration, key.declaration, hosts.declaration, maxBody.declaration,
    ]

    private static let section = "local"
    private static let defaultMaxBody = 256 << 20
    /// What a limit of bodies may be, in bytes.
    static let bodySizes = 1024...(1 << 32)
    private static let defaultAddress = ListenAddress(host: "127.0.0.1", port: 9000)
}
