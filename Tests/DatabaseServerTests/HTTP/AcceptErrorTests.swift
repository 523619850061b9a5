import Glibc
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPListening

/// What becomes of an accept loop that can't accept, by a clock that the test drives.
struct AcceptErrorTests {
    @Test(arguments: [(EMFILE, true), (ENFILE, true), (ENOMEM, true), (ENOBUFS, true), (ECONNABORTED, false)])
    func `what is used up is waited for, and not asked for all the time`(code: CInt, pauses: Bool) throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let channel = EmbeddedChannel()
        channel.allowOptionsWhenClosed = true
        try channel.pipeline.syncOperations.addHandler(AcceptErrorHandler(logger: logger))
        func isReading() -> Bool { channel.options.first?.value as? Bool ?? true }
        channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
        #expect(isReading() == !pauses)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        #expect(isReading() == !pauses)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(isReading())
    }
}
