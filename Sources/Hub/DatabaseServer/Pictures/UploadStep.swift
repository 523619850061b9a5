internal import HTTPTypes

/// What one request of an upload in several requests asks for, by its headers.
struct UploadStep: Hashable, Sendable {
    enum Command: String, Hashable, Sendable { case start, upload, finalize, query, cancel }

    var commands: Set<Command>
    /// Where in the picture the body begins, in bytes.
    var offset: Int?
    /// How long the picture will be, in bytes; nil where nobody says.
    var length: Int?

    /// Nil where the headers say nothing of such an upload.
    init?(_ fields: HTTPFields) {
        func field(_ name: String) -> String? { HTTPField.Name("X-Goog-Upload-" + name).flatMap { fields[$0] } }
        guard let words = field("Command") else { return nil }
        commands = Set(words.lowercased().split { $0 == "," || $0 == " " }.compactMap { Command(rawValue: String($0)) })
        offset = field("Offset").flatMap { Int($0) }
        length = field("Header-Content-Length").flatMap { Int($0) }
    }
}
