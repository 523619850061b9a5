/// Why a remote can't be made of its settings: one line that says what to change.
public struct RemoteSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public init(_ message: String) { self.message = message }
    public var description: String { message }
}
