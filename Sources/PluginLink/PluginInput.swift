internal import Synchronization

/// What a plugin is to read, in order, until it is closed.
package final class PluginInput: Sendable {
    /// For one reader.
    let lines: AsyncStream<[UInt8]>
    private let writing: AsyncStream<[UInt8]>.Continuation
    private let closing: AsyncStream<Void>
    private let closer: AsyncStream<Void>.Continuation
    private let patience = Mutex(true)

    package init() {
        (lines, writing) = AsyncStream.makeStream()
        (closing, closer) = AsyncStream.makeStream()
    }

    /// Adds bytes; nothing after ``close()``.
    package func write(_ bytes: [UInt8]) { writing.yield(bytes) }

    /// Whether the plugin gets time to end by itself.
    var isPatient: Bool { patience.withLock { $0 } }

    /// Ends the connection, also while the plugin does not read; again: no effect.
    ///
    /// - Parameter patiently: whether the plugin gets time to end by itself when its input has ended.
    package func close(patiently: Bool = true) {
        if !patiently { patience.withLock { $0 = false } }
        closer.finish()
        writing.finish()
    }

    /// Returns when the input is closed, or the task is cancelled. For one caller.
    func untilClosed() async { for await _ in closing {} }

    /// Hands over what is to be written until the input is closed, or `body` returns false.
    func forEach(_ body: @escaping @Sendable ([UInt8]) async -> Bool) async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await line in self.lines { if await !body(line) { break } } }
            await untilClosed()
            group.cancelAll()
        }
    }
}
