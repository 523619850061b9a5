/// The entries in a value that holds them some levels below.
enum NestedEntries {
    /// The most bytes of a value that is taken apart here.
    static let limit = 64 << 20

    /// The entries below a key, each with its whole key; none below a null, which also is a hole of an array. A value that
    /// can hold none is one itself, under its own key.
    static func all(below key: String, _ excerpt: JSONExcerpt, levels: Int) -> [(String, JSONExcerpt)] {
        if excerpt.isNull { return [] }
        guard levels > 0, case .text(let text) = excerpt else { return [(key, excerpt)] }
        var entries: [(String, JSONExcerpt)] = []
        do {
            try PutSplitter.parts(of: text, limit: levels > 1 ? limit : JSONExcerpt.limit) { part in
                switch part {
                case .child(let name, let child): entries += all(below: "\(key)/\(name)", child, levels: levels - 1)
                case .value: entries.append((key, excerpt))
                case .opened, .closed: break
                }
            }
        } catch {
            return [(key, excerpt)]
        }
        return entries
    }
}
