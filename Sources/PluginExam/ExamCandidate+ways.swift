package import OperatingSystem
internal import PluginLink
internal import PluginWire
package import SyncModel

extension ExamCandidate {
    /// A program that is started for each connection.
    ///
    /// - Parameter program: an absolute path, or a name that is looked for.
    /// - Throws: where it would not be started as a plugin either.
    package init(
        program: String, arguments: [String], settings: [String: JSONValue], secrets: [String: String]
    ) throws(SystemError) {
        let variables = PluginSurroundings.variables(for: ExamCandidate.name)
        let path = try PluginProgram(program, searchPath: variables["PATH"] ?? PluginSurroundings.standardPath).path
        self.init(isProgram: true, greeting: ExamCandidate.greeting(settings, secrets)) {
            ChildLink(program: path, arguments: arguments, environment: variables)
        }
    }

    /// A plugin behind a socket, of which each connection has an instance of its own.
    package init(socket: String, settings: [String: JSONValue], secrets: [String: String]) {
        self.init(isProgram: false, greeting: ExamCandidate.greeting(settings, secrets)) { SocketLink(path: socket) }
    }

    /// What the plugin is called in the exam.
    private static let name = "test"

    private static func greeting(_ settings: [String: JSONValue], _ secrets: [String: String]) -> PluginGreeting {
        PluginGreeting(version: "test", name: name, settings: settings, secrets: secrets)
    }
}
