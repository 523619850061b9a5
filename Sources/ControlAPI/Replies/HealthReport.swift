/// Whether everything is as it should be; the answer of `GET /v1/health`.
package struct HealthReport: Codable, Hashable, Sendable {
    package enum Level: String, Codable, Sendable { case ok, warning, critical }

    package var level: Level
    /// One line each, the most important first; empty when all is well.
    package var reasons: [String]

    package init(level: Level, reasons: [String] = []) {
        self.level = level
        self.reasons = reasons
    }
}
