extension Range<Int> {
    /// The first index that is `isBehind`, as all that follow are; the end where there is none.
    @inline(__always)
    package func partitionPoint(_ isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
