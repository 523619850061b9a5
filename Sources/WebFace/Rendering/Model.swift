internal import Mustache

/// What a template is filled with.
struct Model: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        /// Escaped where it is shown.
        case text(String)
        /// Rendered already.
        case markup(String)
        case flag(Bool)
        case model(Model)
        case list([Model])
    }

    var values: [String: Value]

    init(_ values: [String: Value] = [:]) { self.values = values }

    subscript(name: String) -> Value? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Both models in one; what `other` says counts.
    func with(_ other: [String: Value]) -> Model { Model(values.merging(other) { $1 }) }
}

extension Model: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, Value)...) { self.init(Dictionary(elements) { $1 }) }
}

extension Model.Value: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }

    /// A text, or nothing: a section of that name is left out then.
    static func maybe(_ text: String?) -> Model.Value { text.map { .text($0) } ?? .flag(false) }
}

extension Model: MustacheParent {
    func child(named name: String) -> Any? {
        switch values[name] {
        case .text(let text): text
        case .markup(let text): text
        case .flag(let flag): flag
        case .model(let model): model
        case .list(let models): models
        case nil: nil
        }
    }
}
