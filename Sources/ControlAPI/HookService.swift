/// What the control socket can ask of hooks. A hook is named by its name, or `kind:name` where several kinds have it.
package protocol HookService: Sendable {
    /// All hooks by name, from memory: it answers whatever they do.
    func hooks() -> [HookReply]

    /// What hooks did not take, of one hook or of all. Throws `unknownHook` (404), `ambiguousHook` (409).
    func refusedEvents(of hook: String?) async throws -> [RefusedEventReply]

    /// Has a hook go on at once, also where it was off, and events that were put aside tried again: those of these numbers,
    /// or all.
    ///
    /// - Throws: as ``refusedEvents(of:)``, `unknownEvent` (404) where none has one of the numbers.
    func retry(hook: String, _ sequences: [Int64]?) async throws -> HookOrderReply

    /// Gives events up that were put aside. Throws as ``retry(hook:_:)``.
    func drop(hook: String, _ sequences: [Int64]) async throws -> HookOrderReply
}

/// No hooks at all.
package struct NoHooks: HookService {
    package init() {}

    package func hooks() -> [HookReply] { [] }

    package func refusedEvents(of hook: String?) async throws -> [RefusedEventReply] {
        if let hook { throw ControlError.unknownHook(hook) }
        return []
    }

    package func retry(hook: String, _ sequences: [Int64]?) async throws -> HookOrderReply {
        throw ControlError.unknownHook(hook)
    }

    package func drop(hook: String, _ sequences: [Int64]) async throws -> HookOrderReply {
        throw ControlError.unknownHook(hook)
    }
}

extension ControlError {
    package static func unknownHook(_ name: String) -> ControlError {
        ControlError(404, "unknownHook", "no hook is called '\(name)': see moviesync hook list")
    }

    package static func ambiguousHook(_ name: String) -> ControlError {
        ControlError(
            409, "ambiguousHook", "hooks of several kinds are called '\(name)': write program:\(name), for one")
    }

    package static func unknownEvent(_ hook: String) -> ControlError {
        ControlError(
            404, "unknownEvent", "no such event of the hook '\(hook)' was put aside: see moviesync hook failed")
    }
}
