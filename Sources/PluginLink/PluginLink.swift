package import PluginWire

/// A way to reach a plugin: a program that is started, or a socket.
package protocol PluginLink: Sendable {
    /// Opens one connection, and carries bytes until it is over.
    ///
    /// It is over when `input` is closed, or the plugin ends it; whatever was started for it has ended then. May be
    /// called again after that.
    func run(_ input: PluginInput, _ handlers: PluginHandlers) async -> PluginEnding
}

/// Who hears of a connection. The handlers are called one after the other, and a slow one slows the plugin.
package struct PluginHandlers: Sendable {
    /// It is open; with the id of the program's process where there is one.
    package var opened: @Sendable (Int32?) -> Void
    /// The plugin has printed this.
    package var output: @Sendable (ArraySlice<UInt8>) -> Void
    /// The plugin will print nothing more.
    package var outputEnded: @Sendable () -> Void
    /// The plugin has printed this on standard error.
    package var log: @Sendable (ArraySlice<UInt8>) -> Void

    package init(
        opened: @escaping @Sendable (Int32?) -> Void, output: @escaping @Sendable (ArraySlice<UInt8>) -> Void,
        outputEnded: @escaping @Sendable () -> Void, log: @escaping @Sendable (ArraySlice<UInt8>) -> Void
    ) {
        self.opened = opened
        self.output = output
        self.outputEnded = outputEnded
        self.log = log
    }
}
