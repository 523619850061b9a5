/// The order in which the database sorts keys: those that are 32-bit whole numbers first, by value; then by their bytes.
enum KeyOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        switch (number(left), number(right)) {
        case (let left?, let right?) where left != right: left < right
        case (.some, nil): true
        case (nil, .some): false
        default: left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }

    private static func number(_ key: String) -> Int32? {
        guard let first = key.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            return nil
        }
        return Int32(key)
    }
}
