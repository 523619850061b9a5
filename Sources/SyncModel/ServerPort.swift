/// The ports that a server can have.
package enum ServerPort {
    /// Whether the port of an address can be one, or there is none in it: what lies below takes that for granted, and ends
    /// the process.
    package static func isUsable(_ port: Int?) -> Bool { port.map { (1...65535).contains($0) } ?? true }
}
