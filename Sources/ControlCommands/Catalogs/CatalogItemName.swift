internal import ControlAPI
internal import FoundationEssentials

/// An item of a catalog as it is typed: `tmdb:348`.
struct CatalogItemName: Hashable, Sendable {
    let catalog: String
    let key: String

    /// Nil for what is none.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            return nil
        }
        catalog = String(parts[0])
        key = String(parts[1])
    }

    var path: String { "\(ControlRoute.catalogs)/\(catalog)/items/\(key.pathPart)" }
}

extension String {
    /// The text as one part of a path: nothing in it separates or leads away.
    var pathPart: String {
        let plain = utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }
        if plain { return self }
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = utf8.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
