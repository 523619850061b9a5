internal import FirebaseWire
internal import JSONText

extension CanonicalText {
    private static let opening = Array(#"{".priority":"#.utf8)
    private static let pseudo = Array(#"".priority":"#.utf8)

    /// Whether there is a priority anywhere in `text`.
    static func hasPriorities(_ text: ArraySlice<UInt8>) -> Bool {
        text.withUnsafeBufferPointer { bytes in
            guard bytes.count > pseudo.count, bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "[") else {
                return false
            }
            var index = 1
            while index < bytes.count - pseudo.count {
                // Inside a string a quote stands behind a backslash, so a plain quote and a dot begin a pseudo key or a
                // string that begins with a dot.
                if bytes[index] == UInt8(ascii: "."), bytes[index - 1] == UInt8(ascii: "\""),
                    bytes[(index - 1)...].starts(with: pseudo)
                {
                    return true
                }
                index += 1
            }
            return false
        }
    }

    /// The priority of the node with this text; nil without one.
    static func priority(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        value(at: [.priority], in: text)
    }

    /// What a leaf is that has a priority; nil for any other text.
    static func leafWithPriority(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.starts(with: opening) else { return nil }
        return value(at: [.value], in: text)
    }

    /// `text` as it is answered without `format=export`: no priorities.
    static func plain(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard hasPriorities(text) else { return text }
        if let leaf = leafWithPriority(text) { return leaf }
        let members = members(text).filter { !$0.key.isPseudo }.map { Member($0.key, plain($0.text)) }
        return (joined(members) ?? [])[...]
    }

    /// `text` as `format=export` answers it: priorities, and no arrays.
    static func appendExported(_ text: ArraySlice<UInt8>, to out: inout [UInt8]) {
        guard !isLeaf(text) else {
            out.append(contentsOf: text)
            return
        }
        out.append(UInt8(ascii: "{"))
        for (index, member) in members(text).sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            JSONWriter.append(member.key.text, to: &out)
            out.append(UInt8(ascii: ":"))
            appendExported(member.text, to: &out)
        }
        out.append(UInt8(ascii: "}"))
    }

    /// `text` as `shallow=true` answers it: a leaf as it is, anything else as its keys.
    static func appendShallow(_ text: ArraySlice<UInt8>, to out: inout [UInt8]) {
        if isLeaf(text) { return out.append(contentsOf: text) }
        if let leaf = leafWithPriority(text) { return out.append(contentsOf: leaf) }
        out.append(UInt8(ascii: "{"))
        for (index, member) in members(text).filter({ !$0.key.isPseudo }).enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            JSONWriter.append(member.key.text, to: &out)
            out.append(contentsOf: ":true".utf8)
        }
        out.append(UInt8(ascii: "}"))
    }
}
