package import HTTPTypes

extension HTTPFields {
    /// How many bytes the body has, as its sender says; `Int.max` for any more than that, nil where nothing that can be read
    /// is said.
    package var bodyLength: Int? {
        guard let text = self[.contentLength] else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return Int(text) ?? (isNumber ? .max : nil)
    }
}
