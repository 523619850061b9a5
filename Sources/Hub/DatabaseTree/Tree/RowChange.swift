package import FirebaseWire

/// One row of the file that a write stores or removes.
package enum RowChange: Sendable {
    case put(row: Int64, database: String, path: WirePath, text: [UInt8])
    case remove(row: Int64)
    /// What a draft was to remove stays.
    case keep(row: Int64)
}
