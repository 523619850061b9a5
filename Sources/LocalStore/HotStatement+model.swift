internal import SQLiteFile
internal import SyncModel

/// The types of the model as the columns keep them: big-endian words, so that bytes sort as the values do.
extension HotStatement {
    func bind(_ index: Int32, _ stamp: Stamp?) {
        guard let stamp else {
            bindNull(index)
            return
        }
        let time = stamp.physical << 16 | UInt64(stamp.counter)
        withUnsafeBytes(of: (time.bigEndian, stamp.node.value.bigEndian)) { bind(index, raw: $0) }
    }

    func bind(_ index: Int32, _ id: RecordID) {
        withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { bind(index, raw: $0) }
    }

    func bind(_ index: Int32, _ hash: ContentHash?) {
        guard let hash else {
            bindNull(index)
            return
        }
        let words = hash.words
        withUnsafeBytes(
            of: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        ) { bind(index, raw: $0) }
    }

    func stamp(_ index: Int32) -> Stamp? {
        guard let bytes = blob(index), bytes.count == 16 else { return nil }
        let time = word(bytes, 0)
        return Stamp(
            physical: time >> 16, counter: UInt16(truncatingIfNeeded: time), node: NodeID(word(bytes, 1)))
    }

    func recordID(_ index: Int32) -> RecordID? {
        guard let bytes = blob(index), bytes.count == 16 else { return nil }
        return RecordID(high: word(bytes, 0), low: word(bytes, 1))
    }

    func hash(_ index: Int32) -> ContentHash? {
        guard let bytes = blob(index), bytes.count == 32 else { return nil }
        return ContentHash(word(bytes, 0), word(bytes, 1), word(bytes, 2), word(bytes, 3))
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
}
