/// What is worth a line in the log.
package enum PluginEvent: Hashable, Sendable {
    case started(PluginDeclaration)
    /// As it should be: nobody needed it, or it was told to.
    case ended(PluginEnding)
    /// How long it rests, in milliseconds.
    case failed(String, pause: UInt64)
    case down(String)
    case refused(String)
}
