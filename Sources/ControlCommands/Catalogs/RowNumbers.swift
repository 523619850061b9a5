/// Numbers of rows as they are typed: `1 3 5-7`.
enum RowNumbers {
    /// More than anybody means.
    private static let most = 1_000

    /// The numbers in their order, each once.
    ///
    /// - Throws: a usage failure for what is none, or too many.
    static func read(_ words: [String]) throws(CommandFailure) -> [Int] {
        var numbers: [Int] = []
        for word in words.flatMap({ $0.split(separator: ",") }) {
            let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first > 0, last >= first
            else {
                throw CommandFailure(.usage, "'\(word)' is no number of a row; write numbers such as 1 3 5-7")
            }
            guard last - first < most, numbers.count < most else {
                throw CommandFailure(.usage, "\(word): at most \(most) rows are saved at once")
            }
            for number in first...last where !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }
}
