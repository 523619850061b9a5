internal import Crypto
internal import SyncModel

/// A file that every page needs and that says nothing of what is in the library.
struct Asset: Sendable {
    let type: String
    let bytes: [UInt8]
    /// As HTTP has it, with quotation marks.
    let tag: String

    private init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
        tag = "\"" + Hexadecimal.text(Array(SHA256.hash(data: bytes).prefix(8))) + "\""
    }

    /// By path.
    static let all: [String: Asset] = [
        "/style.css": Asset("text/css; charset=utf-8", PackageResources.style_css),
        "/live.js": Asset("text/javascript; charset=utf-8", PackageResources.live_js),
        "/icon.svg": Asset("image/svg+xml", PackageResources.icon_svg),
    ]
}
