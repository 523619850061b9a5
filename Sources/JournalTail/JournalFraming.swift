internal import OperatingSystem
internal import SyncModel

/// Bytes of a journal in, its lines out; any division into pieces gives the same lines.
///
/// Lines end with LF or CRLF. Blank lines are passed over, a byte order mark at offset 0 is no part of the first line. A
/// line of more than 1 MiB is rejected when its end is known; until then it takes a few KiB of memory, however long.
package struct JournalFraming: Sendable {
    /// The longest line in bytes, without its end.
    package static let maxLine = 1 << 20
    /// How much of a rejected line is kept for people, in bytes.
    package static let sampleLength = 200

    /// Where the next line begins: the end of the last one that was taken.
    package private(set) var consumed: UInt64
    /// The bytes around ``consumed``; those before `cursor` have been taken.
    private var buffer: [UInt8] = []
    private var cursor = 0
    /// No newline stands before this index.
    private var searched = 0
    /// The beginning of the line in `buffer` that is too long, when it no longer fits there.
    private var excess: Excess?
    /// What is remembered of what was consumed, up to `traced` in `buffer`.
    private var settled: ConsumedTrace
    private var traced = 0

    private struct Excess {
        var length = 0
        var first: [UInt8] = []
        var last: [UInt8] = []
        var digest: BlockDigest

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            length += bytes.count
            digest.add(bytes)
            if first.count < ConsumedTrace.headLimit {
                first.append(contentsOf: bytes.prefix(ConsumedTrace.headLimit - first.count))
            }
            last = ConsumedTrace.end(of: last, followedBy: bytes)
        }
    }

    /// Begins at `offset`, which must be the start of a line.
    package init(offset: UInt64 = 0) { self.init(offset: offset, trace: ConsumedTrace()) }

    init(offset: UInt64, trace: ConsumedTrace) {
        consumed = offset
        settled = trace
    }

    /// How far bytes have been added: the offset of the next one.
    package var fed: UInt64 { consumed + UInt64(excess?.length ?? 0) + UInt64(buffer.count - cursor) }

    /// The last up to 256 bytes before ``fed``.
    var recent: [UInt8] {
        if let excess { return ConsumedTrace.end(of: excess.last, followedBy: buffer[cursor...]) }
        return ConsumedTrace.end(of: settled.tail, followedBy: buffer[traced...])
    }

    /// What is remembered of what was consumed.
    mutating func trace() -> ConsumedTrace {
        settle()
        return settled
    }

    /// Takes in what was read in the meantime of the part that was consumed before this framing began.
    mutating func learned(_ earlier: BlockDigest) {
        excess?.digest.prepend(earlier)
        settled.learned(earlier)
    }

    /// The beginning of what was consumed, as far as it is settled.
    var head: [UInt8] { settled.head }

    /// Adds the bytes that follow those added before.
    package mutating func add(_ bytes: [UInt8]) {
        settle()
        if cursor == buffer.count {
            buffer = bytes
            searched = 0
        } else if cursor == 0 {
            buffer.append(contentsOf: bytes)
            return
        } else {
            searched = max(0, searched - cursor)
            buffer = Array(buffer[cursor...]) + bytes
        }
        cursor = 0
        traced = 0
    }

    /// The next complete line that ends at or before `limit`; nil when there is none.
    package mutating func next(upTo limit: UInt64 = .max) -> JournalElement? {
        while let newline = buffer.withUnsafeBytes({ $0.firstOffset(of: 0x0A, from: max(searched, cursor)) }) {
            let end = newline + 1
            let length = (excess?.length ?? 0) + end - cursor
            searched = newline
            guard consumed + UInt64(length) <= limit else { return nil }
            if let element = take(newline, end: end, length: length) { return element }
        }
        searched = buffer.count
        // A line end and a byte order mark do not count as the line's length.
        if excess != nil || buffer.count - cursor > JournalFraming.maxLine + 4 { absorb() }
        return nil
    }

    /// What is left behind the last complete line; nothing where that is too long.
    var unended: ArraySlice<UInt8> {
        guard excess == nil else { return [] }
        let rest = buffer[cursor...]
        return consumed == 0 && rest.starts(with: JournalFraming.byteOrderMark) ? rest.dropFirst(3) : rest
    }

    /// Takes what is left behind the last complete line as one; nil where there is nothing but blanks.
    package mutating func rest() -> JournalElement? {
        let length = Int(fed - consumed)
        return length > 0 ? take(buffer.count, end: buffer.count, length: length) : nil
    }

    /// Takes the line whose text goes up to `text`, and which ends at `end`; nil where it is blank.
    private mutating func take(_ text: Int, end: Int, length: Int) -> JournalElement? {
        let element =
            excess == nil ? element(buffer[cursor..<text], length: length) : excessive(end: end, length: length)
        consumed += UInt64(length)
        (cursor, searched) = (end, end)
        return element
    }

    /// A line without its end; nil where it is blank.
    ///
    /// - Parameter length: with it.
    private func element(_ text: ArraySlice<UInt8>, length: Int) -> JournalElement? {
        var line = text
        if line.last == 0x0D { line.removeLast() }
        if consumed == 0, line.starts(with: JournalFraming.byteOrderMark) { line = line.dropFirst(3) }
        guard line.count <= JournalFraming.maxLine else { return rejected(line, length: length) }
        if let first = line.first, first > 0x20 {
            return .line(JournalLine(bytes: line, offset: consumed, length: length))
        }
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        return .line(JournalLine(bytes: line, offset: consumed, length: length))
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func excessive(end: Int, length: Int) -> JournalElement? {
        guard var whole = excess else { return nil }
        whole.add(buffer[cursor..<end])
        excess = nil
        settled.consumed(first: whole.first[...], last: whole.last[...], digest: whole.digest)
        traced = end
        let hasMark = consumed == 0 && whole.first.starts(with: JournalFraming.byteOrderMark)
        return rejected(whole.first.dropFirst(hasMark ? 3 : 0), length: length)
    }

    private func rejected(_ line: ArraySlice<UInt8>, length: Int) -> JournalElement {
        let defect = Defect(
            .lineTooLong, "a line of \(length) bytes; the longest allowed is \(JournalFraming.maxLine)")
        return .rejected(
            defect, offset: consumed, length: length, head: Array(line.prefix(JournalFraming.sampleLength)))
    }

    /// Empties the buffer, all of which belongs to a line that is too long.
    private mutating func absorb() {
        settle()
        var longer = excess ?? Excess(digest: settled.digest)
        longer.add(buffer[cursor...])
        excess = longer
        buffer = []
        cursor = 0
        searched = 0
        traced = 0
    }

    private mutating func settle() {
        guard traced < cursor else { return }
        settled.consumed(buffer[traced..<cursor])
        traced = cursor
    }
}
