package import FirebaseWire

/// A packed child on its way from a row of the file into the tree.
package struct LoadedChild: Sendable {
    package let key: WireKey
    package let row: Int64
    let text: [UInt8]

    package init(key: WireKey, row: Int64, text: [UInt8]) {
        self.key = key
        self.row = row
        self.text = text
    }
}
