internal import ArgumentParser

/// The words for levels that the command line takes; those of swift-log.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical
}
