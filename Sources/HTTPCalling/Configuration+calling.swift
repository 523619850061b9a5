package import AsyncHTTPClient
internal import NIOCore

extension HTTPClient.Configuration {
    /// What every client begins with: HTTP/1.1 without redirects or second attempts, and an answer that can't be one is
    /// an error.
    package static var calling: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture { try AnswerGuard.add(to: channel) }
        }
        return configuration
    }
}
