/// A configuration key: its one declaration, with the type of its values.
///
/// ## Declaring a key
/// ```swift
/// static let maxAhead = SettingKey.duration(
///     "clock.maxAhead", default: "60s", "An edit from further in the future than this is held until a person decides."
/// ).reloadable()
/// ```
/// The kinds are ``text(_:_:)``, ``word(_:of:default:meanings:_:)``, ``list(_:default:_:)``, ``duration(_:default:_:)``,
/// ``bool(_:default:_:)``, ``path(_:_:)``, ``file(_:_:)``, ``secretFile(_:_:)`` and ``databasePath(_:default:_:)``; a plugin
/// makes others with the initializer.
public struct SettingKey<Value: Hashable & Sendable>: Sendable {
    public private(set) var declaration: SettingDeclaration
    /// The value where no layer sets the key, or the one that does is wrong.
    public let fallback: Value

    /// - Parameters:
    ///   - builtIn: the text that counts where no layer sets the key.
    ///   - fallback: the value of `builtIn`, or what the lack of a value means.
    ///   - summary: what it does, in whole sentences.
    ///   - read: makes a value of what somebody wrote; must not touch files or the network.
    public init(
        _ name: String, _ type: SettingType, builtIn: String? = nil, fallback: Value, _ summary: String,
        read: @escaping @Sendable (SettingInput) throws(SettingComplaint) -> Value
    ) {
        declaration = SettingDeclaration(name, type, builtIn: builtIn, summary) { input throws(SettingComplaint) in
            try read(input)
        }
        self.fallback = fallback
    }

    public var name: String { declaration.name }

    /// A reload puts a change of this key in force.
    public func reloadable() -> Self { with { $0.isReloadable = true } }

    /// The flag `--name` sets it too.
    public func flag(_ name: String) -> Self { with { $0.flag = name } }

    /// What counts where no layer sets it, for people.
    public func otherwise(_ fallback: String) -> Self { with { $0.fallback = fallback } }

    /// The example file shows this value, in a comment.
    public func example(_ text: String) -> Self { with { $0.example = text } }

    /// The example file sets it to this.
    public func shipped(_ text: String) -> Self {
        with {
            $0.example = text
            $0.isSetInExample = true
        }
    }

    /// A reload lists it under another name where it needs a restart.
    public func restartName(_ name: String) -> Self { with { $0.restartName = name } }

    private func with(_ change: (inout SettingDeclaration) -> Void) -> Self {
        var key = self
        change(&key.declaration)
        return key
    }
}
