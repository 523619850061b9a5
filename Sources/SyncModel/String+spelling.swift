extension String {
    /// Whether both are the same bytes. Swift takes texts for equal that differ in how an accent is composed; a database
    /// does not.
    package func isSpelled(like other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in left.count == right.count && left.elementsEqual(right) }
        }
    }
}

extension String {
    /// Of two spellings of one name the one with the lower bytes.
    package static func lowerSpelling(_ left: String, _ right: String) -> String {
        right.utf8.lexicographicallyPrecedes(left.utf8) ? right : left
    }
}
