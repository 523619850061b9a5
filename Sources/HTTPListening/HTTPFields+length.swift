package import HTTPTypes

extension HTTPFields {
    /// How many bytes the body has, as its sender says; nil where nothing that can be read is said.
    package var bodyLength: Int? { self[.contentLength].flatMap { Int($0) } }
}
