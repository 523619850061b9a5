import JournalTail
import SyncModel
import TestSupport
import Testing

@Suite struct JournalFramingTests {
    /// What a line is, said as simply as possible: cut at newlines, then look at each piece.
    private static func model(_ bytes: [UInt8]) -> [JournalElement] {
        var elements: [JournalElement] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == 0x0A {
            var line = bytes[start..<index]
            if line.last == 0x0D { line = line.dropLast() }
            if start == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            let length = index + 1 - start
            if line.count > 1 << 20 {
                let defect = Defect(.lineTooLong, "a line of \(length) bytes; the longest allowed is 1048576")
                elements.append(
                    .rejected(defect, offset: UInt64(start), length: length, head: Array(line.prefix(200))))
            } else if !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
                elements.append(.line(JournalLine(bytes: line, offset: UInt64(start), length: length)))
            }
            start = index + 1
        }
        return elements
    }

    private static func lines(_ bytes: [UInt8], pieces: () -> Int) -> (elements: [JournalElement], consumed: UInt64) {
        var framing = JournalFraming()
        var elements: [JournalElement] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, pieces()))
            framing.add(Array(piece))
            rest = rest.dropFirst(piece.count)
            while let element = framing.next() { elements.append(element) }
        }
        #expect(framing.fed == UInt64(bytes.count))
        return (elements, framing.consumed)
    }

    @Test(arguments: 0..<60)
    func `any division into pieces gives the same lines`(seed: UInt64) {
        var random = SeededRandom(seed)
        let alphabet: [UInt8] = [0x0A, 0x0A, 0x0D, 0x20, 0x61, 0x62, 0xEF, 0xBB, 0xBF]
        var bytes: [UInt8] = seed.isMultiple(of: 3) ? [0xEF, 0xBB, 0xBF] : []
        for _ in 0..<Int.random(in: 0..<400, using: &random) { bytes += [alphabet.randomElement(using: &random) ?? 0] }
        let expected = JournalFramingTests.model(bytes)
        let largest = Int.random(in: 1...50, using: &random)
        let found = JournalFramingTests.lines(bytes) { Int.random(in: 1...largest, using: &random) }
        #expect(found.elements == expected)
        #expect(found.consumed == UInt64((bytes.lastIndex(of: 0x0A) ?? -1) + 1))
    }

    @Test(arguments: [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, (1 << 20) + 2, (1 << 20) + 5, 3 << 20], ["\n", "\r\n"])
    func `a line of more than one mebibyte is rejected`(length: Int, end: String) {
        for mark in [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
            let long = [UInt8](repeating: 0x78, count: length)
            let bytes = mark + long + Array((end + "after" + end).utf8)
            let expected = JournalFramingTests.model(bytes)
            for piece in [bytes.count, 65_536, 999_983] {
                #expect(JournalFramingTests.lines(bytes) { piece }.elements == expected)
            }
        }
    }

    @Test func `lines beyond the limit stay`() {
        var framing = JournalFraming(offset: 10)
        framing.add(Array("ab\ncd\n".utf8))
        #expect(framing.next(upTo: 12) == nil)
        #expect(framing.next(upTo: 13) == .line(JournalLine(bytes: Array("ab".utf8)[...], offset: 10, length: 3)))
        #expect(framing.next(upTo: 15) == nil)
        #expect(framing.consumed == 13)
        #expect(framing.next() == .line(JournalLine(bytes: Array("cd".utf8)[...], offset: 13, length: 3)))
    }
}
