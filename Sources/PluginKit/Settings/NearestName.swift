/// Finds what somebody meant who mistyped a name.
package enum NearestName {
    /// The candidate that is nearest to `name`, or nil where none is near enough to be meant.
    ///
    /// A dotted name with the right last part in the wrong section is near, and so is one within a third of its
    /// letters in insertions, deletions, replacements and swaps of neighbours.
    package static func of(_ name: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (distance($0, name), $0) }.sorted { $0 < $1 }
        if let (distance, candidate) = ranked.first, distance <= max(1, min(name.count, candidate.count) / 3) {
            return candidate
        }
        let last = name.split(separator: ".").last
        return candidates.first { $0.split(separator: ".").last == last }
    }

    /// The words for people, empty where nothing is near.
    package static func hint(for name: String, among candidates: [String]) -> String {
        of(name, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }

    /// The number of single steps from one text to the other (optimal string alignment).
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left), right = Array(right)
        var rows = [Array(0...right.count)]
        for row in 0..<left.count {
            var next = [row + 1]
            for column in 0..<right.count {
                let replaced = rows[row][column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, rows[row][column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
