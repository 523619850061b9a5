extension StringProtocol {
    /// What stands between the bytes `separator`; empty pieces are left out.
    ///
    /// Looks at bytes: with a mark behind it that joins, a separator is no character of its own.
    package func pieces(between separator: Unicode.Scalar) -> [Substring] {
        let text = Substring(self).utf8
        return text.split { $0 == UInt8(ascii: separator) }.map { Substring($0) }
    }
}
