extension WebhookSections {
    /// What the example file says about webhooks.
    static let example = """
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
