extension BinaryInteger {
    /// The number with its digits in groups of three, as people read it: `36,273`.
    package var grouped: String {
        var out = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { out.append(",") }
            out.append(digit)
        }
        return String(out.reversed())
    }
}
