internal import Crypto
internal import OperatingSystem
internal import SyncModel

/// How far a journal has been consumed, and how to know that file again under any name.
package struct JournalPosition: Decodable, Hashable, Sendable {
    /// A piece of content by its length and SHA-256, in lower-case hexadecimal.
    package struct Fingerprint: Decodable, Hashable, Sendable {
        package var length: Int
        package var hash: String

        init(_ bytes: some Collection<UInt8>) {
            self.init(length: bytes.count, hash: Array(SHA256.hash(data: Array(bytes))))
        }

        init(length: Int, hash: [UInt8]) {
            self.length = length
            self.hash = Hexadecimal.text(hash)
        }

        /// Of so many bytes that begin and end like this.
        init(contentsOf length: UInt64, _ head: Fingerprint, _ tail: Fingerprint) {
            self.init((head.hash + tail.hash).utf8)
            self.length = Int(length)
        }

        fileprivate var text: String { #"{"length":\#(length),"hash":"\#(hash)"}"# }
    }

    package var device: UInt64
    package var inode: UInt64
    /// When the file was made, in nanoseconds since 1970; nil where the file system does not know.
    package var birth: UInt64?
    /// The end of the last consumed complete line.
    package var offset: UInt64
    /// The first up to 1,024 consumed bytes.
    package var head: Fingerprint
    /// The first line, if it ends within ``head``.
    package var firstLine: Fingerprint?
    /// The up to 256 bytes before ``offset``.
    package var tail: Fingerprint
    /// The sum over all complete blocks before ``offset``, in lower-case hexadecimal (``BlockDigest``); nil while it is
    /// not known.
    package var blocks: String?
    /// What was consumed after the last complete block; nil in positions that know nothing of blocks.
    var rest: Fingerprint?
    /// Rises by one with every file, and with every new content of a file.
    package var generation: Int
    /// When the file had last changed when it was read, in nanoseconds since 1970: a rotated file that changed later
    /// has not been read yet.
    package var modified: UInt64
    /// The other files beside the journal that are done with (``JournalFolder/finished(before:after:)``); nil where there
    /// are none.
    var finished: [FileKey]?
    /// Where the files were read to that were left before this one, and may still be written to (``LeftJournals``): each
    /// without ``finished`` and ``left``; nil where there are none.
    var left: [JournalPosition]?
    /// The file was read to its end, and then deleted.
    var isRead: Bool?
    /// What the last files held that were read before this one (``contents``, ``LeftJournals``); nil where there are none.
    var read: [Fingerprint]?

    init(
        of file: FileKey, offset: UInt64, trace: ConsumedTrace, generation: Int, modified: UInt64, finished: [FileKey]
    ) {
        device = file.device
        inode = file.inode
        birth = file.birth
        self.offset = offset
        head = Fingerprint(trace.head)
        firstLine = trace.firstLine.map { Fingerprint($0) }
        tail = Fingerprint(trace.tail)
        blocks = trace.digest.wholeSum.map(Hexadecimal.text)
        rest = trace.digest.rest
        self.generation = generation
        self.modified = modified
        self.finished = finished.isEmpty ? nil : finished
    }

    /// As it is stored: JSON, which a decoder reads. Written with each batch, in a tenth of the time that an encoder takes.
    package var text: [UInt8] {
        var text =
            #"{"device":\#(device),"inode":\#(inode),"offset":\#(offset),"head":\#(head.text),"tail":\#(tail.text)"#
            + #","generation":\#(generation),"modified":\#(modified)"#
        func add(_ name: String, _ value: String?) { if let value { text += #","\#(name)":\#(value)"# } }
        add("birth", birth.map { "\($0)" })
        add("firstLine", firstLine?.text)
        add("blocks", blocks.map { "\"\($0)\"" })
        add("rest", rest?.text)
        add("finished", finished.map { "[\($0.map(\.text).joined(separator: ","))]" })
        add("left", left.map { "[\($0.map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: ","))]" })
        add("isRead", isRead == true ? "true" : nil)
        add("read", read.map { "[\($0.map(\.text).joined(separator: ","))]" })
        return Array((text + "}").utf8)
    }

    /// The start of the same file, to read it again as new content.
    package var restarted: JournalPosition {
        var start = JournalPosition(
            of: file, offset: 0, trace: ConsumedTrace(), generation: generation + 1, modified: modified,
            finished: finished ?? [])
        (start.left, start.read) = (left, read)
        return start
    }

    /// The same, and nothing of other files.
    var alone: JournalPosition {
        var alone = self
        (alone.finished, alone.left, alone.read) = (nil, nil, nil)
        return alone
    }

    /// The same, with what is known of the files before it.
    func beside(_ left: LeftJournals) -> JournalPosition {
        var position = self
        (position.left, position.read) = (left.positions, left.contents.isEmpty ? nil : left.contents)
        return position
    }

    /// All that was consumed of the file, by its length and both of its ends.
    var contents: Fingerprint { Fingerprint(contentsOf: offset, head, tail) }

    var file: FileKey { FileKey(device: device, inode: inode, birth: birth) }
}
