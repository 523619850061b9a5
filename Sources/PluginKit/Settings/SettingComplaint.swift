/// Why a text can't be a key's value: what follows the key's name in the message, such as `is empty: name a path`.
public struct SettingComplaint: Error, Hashable, Sendable {
    public let message: String
    public init(_ message: String) { self.message = message }
}
