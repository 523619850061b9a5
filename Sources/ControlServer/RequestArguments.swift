internal import ControlAPI
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import SyncModel

/// What a request says in its path and query; everything that can't be understood is a ``ControlError``.
struct RequestArguments {
    private let request: Request
    private let context: ControlContext

    init(_ request: Request, _ context: ControlContext) {
        self.request = request
        self.context = context
    }

    /// A part of the path that varies, without its percent-encoding.
    func part(_ name: String) -> String {
        let text = context.parameters.get(name) ?? ""
        return text.removingPercentEncoding ?? text
    }

    /// A word of the query; nil where it is missing.
    func query(_ name: String) -> String? { request.uri.queryParameters.get(name) }

    /// The page size.
    func limit() throws -> Int {
        guard let text = query("limit") else { return ControlRoute.defaultLimit }
        guard let limit = Int(text), (1...ControlRoute.maxLimit).contains(limit) else {
            throw ControlError.badRequest("badLimit", "limit is a number from 1 to \(ControlRoute.maxLimit)")
        }
        return limit
    }

    /// A word of the query that is `true` or `false`; false where it is missing.
    func flag(_ name: String) throws -> Bool {
        switch query(name) {
        case nil, "false": return false
        case "true", "": return true
        default: throw ControlError.badRequest("badFlag", "\(name) is true or false")
        }
    }

    /// How long to wait; nil where the request does not want to.
    func wait() throws -> Duration? {
        guard let text = query("wait") else { return nil }
        guard let seconds = Double(text), (0...ControlRoute.maxWait).contains(seconds) else {
            let message = "wait is a number of seconds from 0 to \(Int(ControlRoute.maxWait))"
            throw ControlError.badRequest("badWait", message)
        }
        return .seconds(seconds)
    }

    /// The number of a hold, a quarantined item or a conflict.
    func number() throws -> Int64 {
        guard let number = Int64(part("id")), number > 0 else {
            throw ControlError.badRequest("badID", "'\(part("id"))' is no number of an entry, which is 1 or higher")
        }
        return number
    }

    /// A UUID, or what one begins with, upper case.
    func recordID() throws -> String {
        let id = part("id").uppercased()
        let scalars = id.unicodeScalars
        let plain = scalars.allSatisfy { ("0"..."9").contains($0) || ("A"..."F").contains($0) || $0 == "-" }
        guard plain, (1...36).contains(scalars.count), scalars.count < 36 || RecordID(id) != nil else {
            throw ControlError.badRequest("badID", "'\(part("id"))' is neither a UUID nor the beginning of one")
        }
        return id
    }

    /// A key, or the beginning of one.
    func key(_ name: String) throws -> String {
        guard let key = context.parameters.get(name)?.removingPercentEncoding, !key.isEmpty else {
            throw ControlError.badRequest("badKey", "'\(part(name))' is no key")
        }
        return key
    }

    /// Whether an event stream is asked for.
    var wantsEvents: Bool { request.headers[.accept]?.contains(ControlRoute.eventStream) == true }

    /// The sequence number in `after`, or the one an event stream was cut at; nil where there is neither.
    ///
    /// Who takes up a stream repeats the address it began with, so the place of the cut counts more there.
    func sequence() throws -> Int64? {
        let cut = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        guard let text = wantsEvents ? cut ?? query("after") : query("after") ?? cut else { return nil }
        guard let sequence = Int64(text), sequence >= 0 else {
            throw ControlError.badRequest("badAfter", "after is the sequence number of a change, 0 or higher")
        }
        return sequence
    }

    /// `push` or `pull`; nil for both.
    func direction() throws -> Direction? {
        guard let text = query("direction") else { return nil }
        guard let direction = Direction(rawValue: text), direction != .journal else {
            throw ControlError.badRequest("badDirection", "direction is push or pull")
        }
        return direction
    }
}
