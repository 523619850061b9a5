package import SyncModel

/// A plugin in another process.
package struct PluginReply: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
        /// It is started when it is called.
        case idle
        case starting, running, stopping
        /// It has failed, and is started again at `retryAt`.
        case resting
        /// It has failed too often: a person has to restart it.
        case down
        /// It can't be used as it is configured, or does not want to work.
        case refused
    }

    /// What it could do to this machine.
    package enum Trust: String, Codable, Sendable {
        /// It runs as the daemon's own child, with all the daemon's rights.
        case child
        /// It is a unit of its own, with the rights of that.
        case unit
    }

    /// Its name in the configuration.
    package var name: String
    package var state: State
    package var trust: Trust
    /// Why it does not run, in a line; null where there is nothing to say.
    @Nullable package var reason: String?
    /// Since when it is in this state.
    package var since: Moment
    @Nullable package var retryAt: Moment?
    /// What it calls itself, and its version; null before it has said so.
    @Nullable package var program: String?
    @Nullable package var version: String?
    /// By the name of the capability, what the plugin says about it.
    package var provides: [String: JSONValue]
    /// The process of a child that runs.
    @Nullable package var pid: Int32?
    /// Secrets that it takes and the configuration does not name.
    package var secretsMissing: [String] = []
    /// Since the daemon started.
    package var calls = 0
    package var failedCalls = 0
    /// Calls that wait for an answer now.
    package var openCalls = 0
    package var starts = 0
    /// Lives that ended in a failure.
    package var failures = 0

    package init(
        name: String, state: State, trust: Trust, reason: String? = nil, since: Moment, retryAt: Moment? = nil,
        program: String? = nil, version: String? = nil, provides: [String: JSONValue] = [:], pid: Int32? = nil
    ) {
        self.name = name
        self.state = state
        self.trust = trust
        self.reason = reason
        self.since = since
        self.retryAt = retryAt
        self.program = program
        self.version = version
        self.provides = provides
        self.pid = pid
    }
}
