internal import SyncModel

extension CollectionSchema {
    /// The field that a list shows as ✓ or ·: the first column whose default is a Bool.
    var mark: String? { columns.first { defaults[$0]?.truth != nil } }

    /// What the mark is called: `watched` for `hasWatched`; nil where there is no mark.
    var markName: String? {
        mark.map { mark in
            for prefix in ["has", "is"] where mark.hasPrefix(prefix) {
                let name = mark.dropFirst(prefix.count)
                if let first = name.first, first.isUppercase { return first.lowercased() + name.dropFirst() }
            }
            return mark
        }
    }

    /// The names of fields in the order to show them: the title, the columns, then all others by name.
    func inOrder(_ names: some Sequence<String>) -> [String] {
        let first = [titleField] + columns.filter { $0 != titleField }
        let names = Set(names)
        return first.filter(names.contains) + names.subtracting(first).sorted()
    }
}
