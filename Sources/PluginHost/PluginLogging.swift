internal import Logging
internal import PluginWire

/// The lines of the log that a plugin makes necessary.
enum PluginLogging {
    static func note(_ event: PluginEvent, _ logger: Logger) {
        switch event {
        case .started(let declaration):
            logger.info(
                "A plugin is ready",
                metadata: [
                    "event": "plugin.started", "program": "\(declaration.name)", "version": "\(declaration.version)",
                    "provides": "\(declaration.provides.keys.sorted().joined(separator: ","))",
                ])
        case .ended(let ending):
            logger.info("A plugin has ended", metadata: ["event": "plugin.ended", "reason": "\(ending.words)"])
        case .failed(let reason, let pause):
            logger.warning(
                "A plugin has failed, and is started again later",
                metadata: ["event": "plugin.failed", "reason": "\(reason)", "pause": "\(pause / 1_000) s"])
        case .down(let reason):
            logger.error(
                "A plugin has failed too often, and stays down",
                metadata: ["event": "plugin.down", "reason": "\(reason)"])
        case .refused(let reason):
            logger.error("A plugin can't be used", metadata: ["event": "plugin.refused", "reason": "\(reason)"])
        }
    }

    /// What a plugin wrote on standard error.
    static func write(_ line: PluginLog.Line, _ logger: Logger) {
        logger.log(
            level: level(line.level), "A plugin says", metadata: ["event": "plugin.log", "text": "\(line.text)"])
    }

    private static func level(_ level: PluginLog.Level) -> Logger.Level {
        switch level {
        case .emergency, .alert, .critical: .critical
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
    }
}
