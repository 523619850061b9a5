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
}
