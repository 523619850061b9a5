extension PluginSections {
    /// What the example file says about plugins.
    static let example = """
        # Plugins in other processes, by names of your own; no variable changes these keys. docs/plugins.md has more.
        # plugins:
        #   shelf:
        #     # A program and its arguments: it may do whatever the daemon may.
        #     command: [/usr/libexec/moviesync/shelf]
        #     # Or the socket of a unit of its own, see "moviesync plugin unit": for all that you have not written.
        #     # socket: /run/moviesync-plugins/shelf.sock
        #     # The collections it is for; all of them where nothing is said.
        #     for: [movies]
        #     # What it is told, as it understands it.
        #     settings: {plot: full}
        #     # Files with its secrets; a relative name is looked for in the credentials of the unit first.
        #     secrets: {key: shelf-key}

        # Servers that are told of each change, see "Hooks" in docs/plugins.md; programs belong into hooks.d beside this file.
        # webhooks:
        #   home:
        #     url: https://example.org/hook
        #     # A line "whsec_" and 24 to 64 bytes in Base64.
        #     secretFile: hook-secret
        #     # The collections it is told of; all of them where nothing is said.
        #     for: [movies]
        #     # Whether the address may be one of this machine or of a local network.
        #     allowPrivate: false
        """
}
