package import FirebaseWire
internal import JSONText
package import SyncModel

/// A value as a write stores it: checked, without nulls and empty objects, keys in byte order.
///
/// A priority stands among the members under ``WireKey/priority``; a leaf that has one is an object of that and
/// ``WireKey/value``. This is also the stored form, so everything that cuts and joins canonical text handles priorities.
package enum WriteValue: Hashable, Sendable {
    case null
    /// A bool, number or string.
    case leaf(JSONValue)
    case server(ServerValue)
    /// At least one, each key once.
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: WireKey
        package let value: WriteValue

        package init(_ key: WireKey, _ value: WriteValue) {
            self.key = key
            self.value = value
        }
    }

    /// The most bytes a string may have.
    package static let maxString = 10 * 1024 * 1024
}

extension WriteValue {
    /// Whether something in it adds to a number that is there.
    package var hasIncrement: Bool {
        switch self {
        case .server(.increment): true
        case .null, .leaf, .server: false
        case .object(let members): members.contains { $0.value.hasIncrement }
        }
    }

    /// Whether there is a server value anywhere in it.
    package var hasServerValues: Bool {
        switch self {
        case .server: true
        case .null, .leaf: false
        case .object(let members): members.contains { $0.value.hasServerValues }
        }
    }

    /// Whether there is a priority anywhere in it.
    package var hasPriorities: Bool {
        guard case .object(let members) = self else { return false }
        return members.contains { $0.key == .priority || $0.value.hasPriorities }
    }

    /// The canonical text with timestamps still to be filled in; nil where nothing is stored. Nothing in it may be an
    /// increment.
    package var draftText: DraftText? {
        guard self != .null else { return nil }
        var draft = DraftText()
        append(to: &draft)
        draft.text = draft.text.fitted
        return draft
    }

    /// The canonical text; nil where nothing is stored. Server values must be filled in before.
    package var canonicalText: [UInt8]? {
        switch self {
        case .null, .server: return nil
        case .leaf, .object:
            var out = DraftText()
            append(to: &out)
            return out.text.fitted
        }
    }

    private func append(to out: inout DraftText) {
        switch self {
        case .server(.timestamp): out.mark()
        case .null, .server: out.text.append(contentsOf: "null".utf8)
        case .leaf(let value): JSONWriter.append(value, to: &out.text)
        case .object(let members):
            if let last = CanonicalText.lastIndex(members.lazy.map(\.key), count: members.count) {
                WriteValue.appendArray(members, last, to: &out)
                return
            }
            out.text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { out.text.append(UInt8(ascii: ",")) }
                JSONWriter.append(member.key.text, to: &out.text)
                out.text.append(UInt8(ascii: ":"))
                member.value.append(to: &out)
            }
            out.text.append(UInt8(ascii: "}"))
        }
    }

    private static func appendArray(_ members: [Member], _ last: Int, to out: inout DraftText) {
        var elements = [WriteValue](repeating: .null, count: last + 1)
        for member in members { if let index = member.key.arrayIndex { elements[index] = member.value } }
        for (index, element) in elements.enumerated() {
            out.text.append(UInt8(ascii: index == 0 ? "[" : ","))
            element.append(to: &out)
        }
        out.text.append(UInt8(ascii: "]"))
    }

    /// This value with all server values filled in.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970; the same for a whole request.
    ///   - existing: what is stored at a path relative to this value before the write.
    package func resolved(now: Int64, existing: (WirePath) -> JSONValue?) -> WriteValue {
        resolved(at: .root, now, existing)
    }

    private func resolved(at path: WirePath, _ now: Int64, _ existing: (WirePath) -> JSONValue?) -> WriteValue {
        switch self {
        case .null, .leaf: return self
        case .server(let value):
            var place = path
            if place.keys.last == .value { place.keys.removeLast() }
            return value.resolved(now: now, existing: existing(place)).pruned.map(WriteValue.leaf) ?? .null
        case .object(let members):
            return .object(
                members.map { member in
                    if case .leaf = member.value { return member }
                    return Member(member.key, member.value.resolved(at: path.appending(member.key), now, existing))
                }
            )
        }
    }
}
