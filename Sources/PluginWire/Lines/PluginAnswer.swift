package import SyncModel

/// What a plugin says to a call: any number of items and notes of progress, then one `ok`. A call that fails ends with a
/// ``PluginError`` instead.
package enum PluginAnswer: Hashable, Sendable {
    case item(JSONValue)
    case progress(JSONValue)
    /// The last one.
    case ok(JSONValue)
}
