extension JSONValue {
    /// The keys of an object of `true`s; nil where this is none.
    ///
    /// Where most of them are the numbers from 0 on, its canonical form is an array (``pruned``), whose places are the keys.
    package var keysOfTrues: [String]? {
        switch self {
        case .object(let members): members.values.allSatisfy { $0 == true } ? Array(members.keys) : nil
        case .array(let elements):
            elements.allSatisfy { $0 == true || $0 == .null }
                ? elements.indices.filter { elements[$0] == true }.map { String($0) } : nil
        default: nil
        }
    }

    /// The texts of a list in their order; nil where this is none.
    ///
    /// Where single ones were removed in the database, it shows holes in the array, or an object of the places that are left.
    package var listedTexts: [String]? {
        switch self {
        case .array(let elements):
            elements.allSatisfy { $0 == .null || $0.text != nil } ? elements.compactMap(\.text) : nil
        case .object(let members): JSONValue.texts(byPlace: members)
        default: nil
        }
    }

    private static func texts(byPlace members: [String: JSONValue]) -> [String]? {
        var texts: [(place: Int, text: String)] = []
        for (key, value) in members {
            guard let place = Int(key), place >= 0, String(place) == key, let text = value.text else { return nil }
            texts.append((place, text))
        }
        return texts.isEmpty ? nil : texts.sorted { $0.place < $1.place }.map(\.text)
    }
}
