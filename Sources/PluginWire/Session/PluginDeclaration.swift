package import SyncModel

/// What a plugin says of itself when it answers `hello`.
package struct PluginDeclaration: Hashable, Sendable {
    package var name: String
    package var version: String
    /// By the name of the capability, what the plugin says about it.
    package var provides: [String: JSONValue]
    /// How many calls may be in flight.
    package var concurrency: Int
    /// A JSON schema of the settings; nil where it has none.
    package var settings: JSONValue?
    /// The names of the secrets that it takes.
    package var secrets: [String]

    /// The capabilities that are used in single calls: whoever provides nothing else is not kept running.
    private static let onDemand: Set<String> = ["catalog"]

    /// Whether a call of this name is for one of those.
    static func isOnDemand(_ call: String) -> Bool { onDemand.contains(String(call.prefix { $0 != "." })) }

    /// Whether it runs also while nobody calls it.
    package var stays: Bool { provides.keys.contains { !PluginDeclaration.onDemand.contains($0) } }

    /// The collections that a capability is for; empty for all. Where the plugin and the configuration have none in common,
    /// the configuration counts.
    package func collections(_ capability: String, _ configured: [String]) -> Set<String> {
        let named = Set(provides[capability]?.members?["collections"]?.words ?? [])
        let common = named.intersection(configured)
        return configured.isEmpty ? named : common.isEmpty ? Set(configured) : common
    }

    /// What an answer to `hello` means.
    package enum Outcome: Hashable, Sendable {
        case ready(PluginDeclaration)
        /// It does not want to work now, and says why.
        case disabled(String)
    }

    /// Reads what stands after `ok` in the answer to `hello`.
    ///
    /// - Throws: `protocol` or `settings` where the two sides don't fit together.
    package static func read(
        _ value: JSONValue, _ limits: PluginLimits, _ redaction: Redaction = Redaction([])
    ) throws(PluginError) -> Outcome {
        guard let members = value.members else {
            throw PluginError(.protocol, "it answers hello with \(value.kind), not with an object")
        }
        if let reason = members["disable"]?.text { return .disabled(redaction(reason).oneLine) }
        guard let version = members["protocol"]?.whole, PluginGreeting.protocols.contains(version) else {
            let said = members["protocol"].map { $0.whole.map(String.init) ?? $0.kind } ?? "no version"
            throw PluginError(.protocol, "it speaks \(said) of the protocol, and this version of moviesync speaks 1")
        }
        if let needed = members["requires"]?.words, let first = needed.first {
            throw PluginError(
                .protocol, "it needs \"\(redaction(first))\", which this version of moviesync does not have")
        }
        guard case .object(let provides) = members["provides"] ?? [:] else {
            throw PluginError(.protocol, "what it provides is no object")
        }
        let concurrency = members["concurrency"]?.whole ?? 1
        return .ready(
            PluginDeclaration(
                name: redaction(members["name"]?.text ?? "").oneLine,
                version: redaction(members["version"]?.text ?? "").oneLine,
                provides: redaction(provides), concurrency: Int(min(max(concurrency, 1), Int64(limits.concurrency))),
                settings: members["settings"], secrets: (members["secrets"]?.words ?? []).map { redaction($0) }))
    }
}

extension JSONValue {
    /// The texts of an array; nil for anything else.
    fileprivate var words: [String]? {
        if case .array(let elements) = self { elements.compactMap(\.text) } else { nil }
    }
}
