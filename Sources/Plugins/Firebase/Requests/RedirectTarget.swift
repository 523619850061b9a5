internal import FoundationEssentials
internal import PluginKit
internal import SyncModel

/// Where a redirect leads.
enum RedirectTarget {
    /// The URL that `location` names, seen from `origin`, with those of `items` that it lacks.
    ///
    /// - Parameter isSecret: whether what the request carries is a secret.
    /// - Throws: ``RemoteError/Code/unreachable`` where it is no URL, or leads to another path, which is another place in the
    ///   database, or changes what the query says, or leads from https to http, or with a secret to another machine by http,
    ///   where the credential would be readable by anyone.
    static func url(
        _ location: String, from origin: String, adding items: [DatabaseLocation.QueryItem], isSecret: Bool
    ) throws(RemoteError) -> String {
        guard let base = URL(string: origin), let target = URL(string: location, relativeTo: base)?.absoluteURL,
            let parts = URLComponents(url: target, resolvingAgainstBaseURL: true),
            let host = parts.host, parts.scheme == "https" || parts.scheme == "http",
            ServerPort.isUsable(in: target.absoluteString)
        else { throw RemoteError(.unreachable, "a redirect leads to something that is no http address") }
        guard parts.scheme == "https" || base.scheme == "http" else {
            throw RemoteError(
                .unreachable, "a redirect leads from https to http: not followed, it would show the credential")
        }
        guard parts.scheme == "https" || !isSecret || DatabaseAddress.isThisMachine(host) else {
            throw RemoteError(
                .unreachable, "a redirect leads to another machine by http: not followed, it would show the credential")
        }
        // A gateway may have a place of its own for the whole database.
        guard target.path(percentEncoded: false).hasSuffix(base.path(percentEncoded: false)) else {
            throw RemoteError(.unreachable, "a redirect leads to another path: not followed, other data stands there")
        }
        let shown = parts.queryItems ?? []
        let asked = Dictionary((URLComponents(string: origin)?.queryItems ?? []).map { ($0.name, $0.value) }) { $1 }
        guard shown.allSatisfy({ item in asked[item.name].map { $0 == item.value } ?? true }) else {
            throw RemoteError(
                .unreachable, "a redirect leads to another database, or asks for something else: not followed")
        }
        var text = target.absoluteString
        let present = Set(shown.map(\.name))
        for item in items where !present.contains(item.name) {
            text += (text.contains("?") ? "&" : "?") + item.encoded
        }
        return text
    }
}
