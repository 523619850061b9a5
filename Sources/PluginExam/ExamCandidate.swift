package import PluginLink
package import PluginWire
internal import SyncModel

/// A plugin to be examined, and what it is told.
package struct ExamCandidate: Sendable {
    /// Whether it is started as a program here, so that its process can be looked at.
    package var isProgram: Bool
    /// Makes a way to it; each opens a connection of its own.
    package var makeLink: @Sendable () throws -> any PluginLink
    package var greeting: PluginGreeting
    /// Whether a service that it needs must answer.
    package var isLive: Bool
    /// What is searched for.
    package var query: String
    /// Hears what it prints on standard error.
    package var log: @Sendable (ArraySlice<UInt8>) -> Void

    package init(
        isProgram: Bool, greeting: PluginGreeting, isLive: Bool = false, query: String = "a",
        log: @escaping @Sendable (ArraySlice<UInt8>) -> Void = { _ in },
        makeLink: @escaping @Sendable () throws -> any PluginLink
    ) {
        self.isProgram = isProgram
        self.greeting = greeting
        self.isLive = isLive
        self.query = query
        self.log = log
        self.makeLink = makeLink
    }

    /// Opens a connection, lends it to `body`, and ends it.
    ///
    /// - Returns: what `body` returns, and how the connection ended.
    /// - Throws: what `body` throws; ``ExamFailure`` where the plugin can't be started, or printed what it may not.
    func talk<Value: Sendable>(
        _ body: @Sendable (ExamTalk) async throws -> Value
    ) async throws -> (value: Value, ending: PluginEnding) {
        let link = try makeLink()
        let talk = ExamTalk(log: log)
        async let over = link.run(talk.input, talk.handlers)
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(talk)) } catch { outcome = .failure(error) }
        talk.input.close()
        let ending = await over
        if case .unopened = ending { throw ExamFailure(ending.words) }
        if let breach = talk.breach { throw ExamFailure(breach) }
        return (try outcome.get(), ending)
    }

    /// The same with a plugin that was greeted.
    func greeted<Value: Sendable>(
        _ body: @Sendable (ExamTalk, PluginDeclaration) async throws -> Value
    ) async throws -> (value: Value, ending: PluginEnding) {
        try await talk { talk in
            let reply = try await talk.call("hello", with: greeting.arguments, within: .seconds(10))
            return try await body(talk, try ExamCandidate.declaration(reply))
        }
    }

    /// What the answer to `hello` says.
    static func declaration(_ reply: ExamReply) throws -> PluginDeclaration {
        let value = try reply.ok("hello")
        do {
            switch try PluginDeclaration.read(value, PluginLimits()) {
            case .ready(let declaration): return declaration
            case .disabled(let reason): throw ExamSkip("it does not want to work: \(reason)")
            }
        } catch let error as PluginError {
            throw ExamFailure(error.message)
        }
    }
}
