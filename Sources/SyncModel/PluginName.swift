/// The names of plugins and hooks, as they stand in the origin of a change.
package enum PluginName {
    /// Whether a text is one: up to 64 of letters, digits, `.`, `_` and `-`, and no dot at the beginning.
    package static func isOne(_ text: some StringProtocol) -> Bool {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count), bytes.first != UInt8(ascii: ".") else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
    }
}
