extension Dictionary {
    /// Removes what is mostly not there: an empty one is not searched.
    mutating func discard(_ key: Key) { if !isEmpty { removeValue(forKey: key) } }
}

extension Set {
    /// Removes what is mostly not there: an empty one is not searched.
    mutating func discard(_ element: Element) { if !isEmpty { remove(element) } }
}
