internal import FirebaseWire
internal import JSONText

/// The text of a node in pieces of bounded size, however large the node is.
package struct NodeEncoder: Sendable {
    package enum Form: Sendable {
        /// As it is stored, which is also the plain form where a database has no priorities.
        case stored
        /// Without priorities.
        case plain
        /// With priorities, and without arrays, as `format=export` answers it.
        case export
        /// The keys alone, as `shallow=true` answers them: `{"key":true}`.
        case shallow

        fileprivate var hidesPriorities: Bool { self == .plain || self == .shallow }
    }

    private enum Frame: Sendable {
        case object(Children.Cursor, first: Bool)
        case array([Node?], next: Int)
    }

    /// A piece ends with the child that brings it to this many bytes.
    static let pieceSize = 64 * 1024

    private let form: Form
    private var pending: Node?
    private var stack: [Frame] = []

    package init(_ node: Node, _ form: Form = .stored) {
        pending = node
        self.form = form
    }

    /// The next piece; nil when everything was given.
    package mutating func next() -> [UInt8]? {
        var out: [UInt8] = []
        if let node = pending {
            pending = nil
            open(node, &out)
        }
        while out.count < NodeEncoder.pieceSize, let frame = stack.popLast() { step(frame, &out) }
        return out.isEmpty ? nil : out
    }

    private mutating func open(_ node: Node, _ out: inout [UInt8]) {
        switch node {
        case .packed(_, let text): append(text, &out)
        case .branch(let pages):
            if form.hidesPriorities, let leaf = pages[.value] {
                open(leaf, &out)
            } else if form == .stored || form == .plain, let elements = NodeEncoder.elements(pages, form) {
                out.append(UInt8(ascii: "["))
                stack.append(.array(elements, next: 0))
            } else {
                out.append(UInt8(ascii: "{"))
                out.reserveCapacity(NodeEncoder.pieceSize + 1024)
                stack.append(.object(Children.Cursor(pages), first: true))
            }
        }
    }

    private func append(_ text: [UInt8], _ out: inout [UInt8]) {
        switch form {
        case .stored: if out.isEmpty { out = text } else { out.append(contentsOf: text) }
        case .plain: out.append(contentsOf: CanonicalText.plain(text[...]))
        case .export: CanonicalText.appendExported(text[...], to: &out)
        case .shallow: CanonicalText.appendShallow(text[...], to: &out)
        }
    }

    private mutating func step(_ frame: Frame, _ out: inout [UInt8]) {
        switch frame {
        case .object(var cursor, let first):
            guard let (key, child) = cursor.next() else {
                out.append(UInt8(ascii: "}"))
                return
            }
            if form.hidesPriorities, key.isPseudo {
                stack.append(.object(cursor, first: first))
                return
            }
            if !first { out.append(UInt8(ascii: ",")) }
            JSONWriter.append(key.text, to: &out)
            out.append(UInt8(ascii: ":"))
            stack.append(.object(cursor, first: false))
            if form == .shallow { out.append(contentsOf: "true".utf8) } else { open(child, &out) }
        case .array(let elements, let next):
            guard next < elements.count else {
                out.append(UInt8(ascii: "]"))
                return
            }
            if next > 0 { out.append(UInt8(ascii: ",")) }
            stack.append(.array(elements, next: next + 1))
            if let child = elements[next] { open(child, &out) } else { out.append(contentsOf: "null".utf8) }
        }
    }

    /// The children by index where the node is answered as an array, else nil.
    private static func elements(_ pages: Children, _ form: Form) -> [Node?]? {
        var last = 0
        var count = 0
        let allIndices = pages.forEach { key, _ in
            if form == .plain, key.isPseudo { return true }
            guard let index = key.arrayIndex else { return false }
            last = max(last, index)
            count += 1
            return true
        }
        guard allIndices, last < 2 * count else { return nil }
        var elements = [Node?](repeating: nil, count: last + 1)
        pages.forEach { key, child in
            if let index = key.arrayIndex { elements[index] = child }
            return true
        }
        return elements
    }
}
