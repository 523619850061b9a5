internal import FirebaseWire
internal import HTTPTypes

extension HTTPRequest {
    /// The path without its query; empty where there is none.
    var pathAlone: Substring {
        guard let path else { return "" }
        guard let mark = path.utf8.offset(of: UInt8(ascii: "?")) else { return path[...] }
        return path[..<path.utf8.index(path.startIndex, offsetBy: mark)]
    }
}
