extension String {
    /// The words in lines of at most `columns`, each of which begins with `prefix`.
    func wrapped(to columns: Int, prefix: String = "") -> [String] {
        var lines: [String] = []
        var line = prefix
        for word in split(separator: " ") {
            if line.count + 1 + word.count > columns {
                lines.append(line)
                line = prefix
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
