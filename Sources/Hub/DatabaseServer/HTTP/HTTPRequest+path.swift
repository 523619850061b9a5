internal import HTTPTypes

extension HTTPRequest {
    /// The path without its query; empty where there is none.
    var pathAlone: Substring {
        guard let path else { return "" }
        return path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path[..<$0] } ?? path[...]
    }
}
