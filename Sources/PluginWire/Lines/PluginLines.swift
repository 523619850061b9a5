/// Cuts the bytes of a plugin into lines, whatever the pieces they come in.
package struct PluginLines: Sendable {
    /// The most bytes of a line, its end not counted.
    private let limit: Int
    private var partial: [UInt8] = []
    private var isBroken = false

    package init(limit: Int) { self.limit = limit }

    /// The lines that end in `bytes`, without their ends; empty ones are left out.
    ///
    /// - Throws: `lineTooLong` as soon as a line has too many bytes; nothing is read after that.
    package mutating func read(_ bytes: ArraySlice<UInt8>) throws(PluginBreach) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes
        while !isBroken, let end = rest.firstIndex(of: 0x0A) {
            try add(rest[..<end])
            rest = rest[(end + 1)...]
            if partial.last == 0x0D { partial.removeLast() }
            if !partial.isEmpty { lines.append(partial) }
            partial.removeAll(keepingCapacity: partial.capacity <= 65_536)
        }
        if !isBroken { try add(rest) }
        return lines
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) throws(PluginBreach) {
        guard partial.count + bytes.count <= limit + 1 else {
            partial = []
            isBroken = true
            throw PluginBreach(.lineTooLong, "it printed a line of more than \(limit) bytes")
        }
        partial += bytes
    }
}
