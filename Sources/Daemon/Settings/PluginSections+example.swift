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
        """
}
