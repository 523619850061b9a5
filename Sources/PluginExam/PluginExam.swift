internal import PluginWire

/// Everything that the protocol asks of a plugin, tried one by one.
package struct PluginExam: Sendable {
    /// One promise.
    struct Case: Sendable {
        let name: String
        let promise: String
        /// The capability that makes it; nil where every plugin does.
        var capability: String?
        let check: @Sendable (ExamCandidate) async throws -> Void
    }

    private let candidate: ExamCandidate
    private let names: Set<String>

    /// - Parameter only: the names of the promises to try besides the first one; empty for all.
    package init(_ candidate: ExamCandidate, only names: Set<String> = []) {
        self.candidate = candidate
        self.names = names.isEmpty ? names : names.union([PluginExam.first])
    }

    /// The names of all promises.
    package static var names: [String] { cases.map(\.name) }

    static var cases: [Case] { greeting + calling + ending + catalog + checking + hooking }

    /// Tries all of them, one after the other, and tells each result as it comes. Where the plugin can't be greeted,
    /// nothing else is tried.
    package func run(_ tell: (ExamResult) throws -> Void) async rethrows {
        var provides: Set<String> = []
        for promise in PluginExam.cases where names.isEmpty || names.contains(promise.name) {
            guard promise.capability.map(provides.contains) ?? true else { continue }
            let result = await verdict(of: promise)
            try tell(result)
            if promise.name == PluginExam.first {
                guard case .passed = result.verdict else { return }
                provides = await capabilities()
            }
        }
    }

    private func verdict(of promise: Case) async -> ExamResult {
        let verdict: ExamResult.Verdict
        do {
            try await promise.check(candidate)
            verdict = .passed
        } catch let failure as ExamFailure {
            verdict = .failed(failure.message)
        } catch let skip as ExamSkip {
            // Whoever can't even be greeted has kept no promise.
            verdict = promise.name == PluginExam.first ? .failed(skip.reason) : .skipped(skip.reason)
        } catch {
            verdict = .failed("\(error)")
        }
        return ExamResult(name: promise.name, promise: promise.promise, verdict: verdict)
    }

    private func capabilities() async -> Set<String> {
        let declaration = try? await candidate.greeted { _, declaration in declaration }
        return Set((declaration?.value.provides ?? [:]).keys)
    }
}
