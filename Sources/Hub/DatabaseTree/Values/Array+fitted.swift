extension Array {
    /// The same without room for more: very many small texts would take half as much again.
    var fitted: [Element] {
        // An array that is made of a slice keeps the memory of that.
        capacity > count + count / 4 ? withUnsafeBufferPointer { Array($0) } : self
    }
}
