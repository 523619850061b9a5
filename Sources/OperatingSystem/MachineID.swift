/// The machine this system was installed on.
package enum MachineID {
    /// The content of `/etc/machine-id`: 32 hexadecimal digits; nil where it is missing or not set yet.
    package static func current(path: String = "/etc/machine-id") -> String? {
        guard let bytes = try? ReadableFile(path: path).read(at: 0, count: 64) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        return text.count == 32 && text.allSatisfy(\.isHexDigit) ? text : nil
    }
}
