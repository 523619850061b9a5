import Foundation
import Testing

@testable import JournalTail

/// A position is written by hand and read by a decoder: a restart finds what was committed.
struct JournalPositionTests {
    private static let keys = [
        FileKey(device: 66306, inode: 7, birth: 1_700_000_000_000_000_000),
        FileKey(device: .max, inode: .max, birth: nil),
    ]

    private static func trace(_ count: Int) -> ConsumedTrace {
        var trace = ConsumedTrace()
        trace.consumed(Array("{\"op\":\"delete\"}\n".utf8)[...])
        trace.consumed([UInt8](repeating: 0x20, count: count)[...])
        return trace
    }

    private static let positions: [JournalPosition] = [
        JournalPosition(
            of: keys[0], offset: 16, trace: trace(0), generation: 1, modified: 5, finished: []),
        JournalPosition(
            of: keys[1], offset: .max, trace: trace(200_000), generation: 7, modified: .max, finished: keys),
        JournalPosition(
            of: keys[0], offset: 0, trace: ConsumedTrace(), generation: 0, modified: 0, finished: [keys[1]]),
        JournalPosition(
            of: keys[0], offset: 1 << 40,
            trace: ConsumedTrace(head: [1], tail: [2], digest: BlockDigest(block: 3)), generation: 2, modified: 1,
            finished: []),
    ]

    @Test(arguments: positions) func `what stands in it of other files is read, too`(position: JournalPosition) throws {
        var position = position
        position.left = JournalPositionTests.positions.map(\.alone)
        #expect(try JSONDecoder().decode(JournalPosition.self, from: Data(position.text)) == position)
        #expect(position.restarted.left == position.left && position.alone.left == nil)
    }

    @Test(arguments: positions) func `what is written is read`(position: JournalPosition) throws {
        #expect(try JSONDecoder().decode(JournalPosition.self, from: Data(position.text)) == position)
    }
}
