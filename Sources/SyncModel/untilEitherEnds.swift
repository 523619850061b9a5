/// Does both at once, until one of them has ended, or the task is cancelled. The other one is cancelled then; it has ended,
/// too, when this returns.
package func untilEitherEnds(
    _ first: @Sendable @escaping () async -> Void, _ second: @Sendable @escaping () async -> Void
) async {
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await first() }
        group.addTask { await second() }
        await group.next()
        group.cancelAll()
    }
}
