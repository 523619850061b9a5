internal import FirebaseWire
internal import HTTPTypes

extension HTTPRequest {
    /// The path without its query; empty where there is none.
    var pathAlone: Substring {
        guard let path else { return "" }
        return path.place(of: "?").map { path[..<$0] } ?? path[...]
    }
}
