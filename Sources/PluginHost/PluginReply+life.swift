internal import ControlAPI
internal import PluginWire

extension PluginReply {
    init(
        _ settings: PluginSettings, _ life: PluginLife, process: Int32?, changedAt: UInt64, wall: UInt64,
        monotonic: UInt64
    ) {
        let declaration = life.declaration
        let (state, retry) = PluginReply.state(of: life.phase)
        self.init(
            name: settings.name, state: state, trust: settings.trust, reason: life.reason,
            since: Moment(milliseconds: changedAt),
            retryAt: retry.map { Moment(milliseconds: wall + ($0 > monotonic ? $0 - monotonic : 0)) },
            program: declaration?.name, version: declaration?.version, provides: declaration?.provides ?? [:])
        pid = process
        secretsMissing = (declaration?.secrets ?? []).filter { settings.secrets[$0] == nil }
        calls = life.counts.calls
        failedCalls = life.counts.failedCalls
        openCalls = life.calls
        starts = life.counts.starts
        failures = life.counts.failures
    }

    private static func state(of phase: PluginLife.Phase) -> (State, retry: UInt64?) {
        switch phase {
        case .idle: (.idle, nil)
        case .starting: (.starting, nil)
        case .running: (.running, nil)
        case .closing, .stopped: (.stopping, nil)
        case .resting(let until): (.resting, until)
        case .down: (.down, nil)
        case .refused: (.refused, nil)
        }
    }
}

extension PluginSettings {
    fileprivate var trust: PluginReply.Trust {
        switch way {
        case .command: .child
        case .socket: .unit
        }
    }
}
