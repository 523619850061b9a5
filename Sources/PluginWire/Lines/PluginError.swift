package import SyncModel

/// Why a call was not carried out: a word that both sides know, and a line for people.
package struct PluginError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, CaseIterable, Sendable {
        /// The plugin has no such call.
        case unknownCall
        /// The two sides have no version of the protocol in common.
        case `protocol`
        /// The settings can't be used: trying again is of no use before they change.
        case settings
        case unauthorized
        /// Too many calls; ``PluginError/retryAfter`` says when there may be more.
        case limited
        /// Not now: try again.
        case unavailable
        case notFound
        /// The record is wrong; ``PluginError/field`` says where.
        case defect
        case refused
        case cancelled
        /// All else, and every word that is not known.
        case `internal`
    }

    package var code: Code
    /// One line.
    package var message: String
    /// Seconds.
    package var retryAfter: Double?
    package var field: String?

    package init(_ code: Code, _ message: String, retryAfter: Double? = nil, field: String? = nil) {
        self.code = code
        self.message = message.oneLine
        self.retryAfter = retryAfter
        self.field = field
    }

    /// Reads what stands after `error` in an answer; whatever is missing or of another kind is left out.
    ///
    /// - Parameter redaction: takes secrets out of its texts.
    package init(_ value: JSONValue, _ redaction: Redaction = Redaction([])) {
        let members = value.members ?? [:]
        let word = members["code"]?.text ?? ""
        let code = Code(rawValue: word)
        let said = members["message"]?.text ?? value.text ?? ""
        self.init(
            code ?? .internal, redaction(code == nil && !word.isEmpty ? "\(word): \(said)" : said),
            retryAfter: members["retryAfter"]?.seconds, field: members["field"]?.text.map { redaction($0).oneLine })
    }

    package var description: String { message.isEmpty ? code.rawValue : "\(code.rawValue): \(message)" }
}

extension JSONValue {
    /// A number that is not negative, a day at most.
    fileprivate var seconds: Double? {
        switch self {
        case .integer(let value) where value >= 0: min(Double(value), 86_400)
        case .number(let value) where value >= 0: min(value, 86_400)
        default: nil
        }
    }
}
