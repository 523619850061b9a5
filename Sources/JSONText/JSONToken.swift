package import SyncModel

/// One value of a JSON text, or the beginning of one.
package enum JSONToken {
    case scalar(JSONValue)
    /// So many values follow.
    case array(Int)
    /// So many pairs of a key and a value follow.
    case object(Int)
}
