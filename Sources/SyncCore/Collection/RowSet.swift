/// A set of row numbers, which are small and dense: a bit each.
struct RowSet: Sendable {
    private var words: [UInt64] = []
    private(set) var count = 0

    mutating func insert(_ row: Int64) {
        guard row >= 0, row < 1 << 40 else { return }
        let (word, bit) = (Int(row >> 6), UInt64(1) << UInt64(row & 63))
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word - words.count + 1 + word / 4)) }
        if words[word] & bit == 0 {
            words[word] |= bit
            count += 1
        }
    }

    func contains(_ row: Int64) -> Bool {
        let word = Int(row >> 6)
        return word < words.count && words[word] & (1 << UInt64(row & 63)) != 0
    }
}
