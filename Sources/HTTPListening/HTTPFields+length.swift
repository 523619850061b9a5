package import HTTPTypes

extension HTTPFields {
    /// How many bytes the body has, as its sender says; `Int.max` for any more than that, nil where nothing that can be read
    /// is said.
    package var bodyLength: Int? {
        guard let text = first(where: { $0.name == .contentLength })?.value, !text.isEmpty else { return nil }
        var length = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tens, isTooMuch) = length.multipliedReportingOverflow(by: 10)
            let (sum, isMore) = tens.addingReportingOverflow(Int(byte - 0x30))
            length = isTooMuch || isMore ? .max : sum
        }
        return length
    }
}
