/// Whether a record waits to be pushed.
package enum Pending: Int, Hashable, Sendable {
    case no = 0
    case yes = 1
    /// Pending, but refused by the remote or named by a hold.
    case blocked = 2
}
