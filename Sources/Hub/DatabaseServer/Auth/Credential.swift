internal import HTTPTypes

/// What a request carries to prove who sends it, not verified yet.
struct Credential: Sendable {
    /// A secret or a token; nil where there is none.
    var token: String?
    /// The JSON of the `auth` that an administrator wants to be.
    var override: String?

    init(token: String? = nil, override: String? = nil) {
        self.token = token
        self.override = override
    }

    /// The `Authorization` header comes before `access_token`, and that before `auth`.
    init(_ fields: HTTPFields, _ parameters: [(name: String, value: String)]) {
        func parameter(_ name: String) -> String? { parameters.last { $0.name == name }?.value }
        let found = Credential.bearer(fields[.authorization]) ?? parameter("access_token") ?? parameter("auth")
        token = found.flatMap { $0.isEmpty ? nil : $0 }
        override = parameter("auth_variable_override")
    }

    private static func bearer(_ field: String?) -> String? {
        guard let field, field.count > 7, field.prefix(7).lowercased() == "bearer " else { return nil }
        return String(field.dropFirst(7).drop { $0 == " " })
    }
}
