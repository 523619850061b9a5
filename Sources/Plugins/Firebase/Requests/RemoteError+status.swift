internal import HTTPCalling
internal import NIOHTTP1
internal import PluginKit
internal import SyncModel

extension RemoteError {
    /// What an answer that is neither success nor a conflict means.
    ///
    /// - Parameters:
    ///   - words: what the server said about it, without secrets.
    ///   - place: the server, for the message.
    static func status(_ status: Int, _ headers: HTTPHeaders, words: String, at place: String) -> RemoteError {
        let message = "\(place) answered \(status)" + (words.isEmpty ? "" : ": \(oneLine(words))")
        return RemoteError(code(status, words), message, retryAfter: headers.retryAfter())
    }

    private static func code(_ status: Int, _ words: String) -> Code {
        switch status {
        case 400 where isReadTimeout(words), 429, 503: .unavailable
        case 400 where words.lowercased().contains("data requested exceeds"): .tooLarge
        case 400, 413: .refused
        case 401: isDenial(words) ? .denied : .unauthorized
        case 402, 403, 404, 423: .stopped
        default: .outcomeUnknown
        }
    }

    /// Whether these words say that the database's rules refused the request.
    static func isDenial(_ words: String) -> Bool { words.lowercased().contains("permission denied") }

    private static func isReadTimeout(_ words: String) -> Bool {
        let words = words.lowercased()
        return words.contains("timed out") || words.contains("timeout")
    }
}
