/// The values of configuration keys, as they were read.
public struct SettingValues: Equatable, Sendable {
    private var values: [String: any Hashable & Sendable] = [:]

    public init() {}

    /// The value of a key; its fallback where none was read.
    public subscript<Value>(key: SettingKey<Value>) -> Value {
        get {
            guard let value = values[key.name] else { return key.fallback }
            return value as? Value ?? key.fallback
        }
        set { values[key.name] = newValue }
    }

    public static func == (left: Self, right: Self) -> Bool {
        Set(left.values.keys).union(right.values.keys).allSatisfy { !left.differs(from: right, at: $0) }
    }

    /// Whether the key of this name has another value in `other`.
    package func differs(from other: Self, at name: String) -> Bool {
        values[name].map { AnyHashable($0) } != other.values[name].map { AnyHashable($0) }
    }

    /// Takes over what `other` has for the key of this name.
    package mutating func take(_ name: String, from other: Self) { values[name] = other.values[name] }

    /// The path that the key of this name has, where its value is one.
    package func path(_ name: String) -> String? { values[name] as? String }

    /// Forgets what was read.
    package mutating func remove<Value>(_ key: SettingKey<Value>) { values[key.name] = nil }

    /// Reads a value and keeps it.
    package mutating func read(
        _ declaration: SettingDeclaration, from input: SettingInput
    ) throws(SettingComplaint) {
        values[declaration.name] = try declaration.read(input)
    }
}
