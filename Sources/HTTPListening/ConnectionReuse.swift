internal import NIOCore
internal import NIOHTTP1

/// Whether a connection stays open after each of its answers, and that HTTP/1.0 is answered in HTTP/1.0.
///
/// A client of HTTP/1.0 does not understand chunks, so an answer ends with its connection. What a client says in
/// `Connection` is turned into the one spelling that the server looks for.
struct ConnectionReuse {
    private struct Request {
        var isHTTP10: Bool
        var keepsAlive: Bool
    }

    /// The requests that have not been answered yet.
    private var unanswered = CircularBuffer<Request>()
    var unansweredCount: Int { unanswered.count }

    /// Notes a request. Returns whether `head` was changed.
    mutating func ask(_ head: inout HTTPRequestHead) -> Bool {
        let isHTTP10 = head.version.major == 1 && head.version.minor == 0
        let keepsAlive = !isHTTP10 && head.isKeepAlive
        unanswered.append(Request(isHTTP10: isHTTP10, keepsAlive: keepsAlive))
        if !keepsAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        return !keepsAlive
    }

    /// Makes of `head` what the oldest request that was not answered yet calls for; an informational answer is none.
    /// Returns whether it was changed.
    mutating func answer(_ head: inout HTTPResponseHead) -> Bool {
        guard head.status.code >= 200, let answered = unanswered.popFirst(), !answered.keepsAlive else { return false }
        if answered.isHTTP10 { head.version = .http1_0 }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        return true
    }
}
