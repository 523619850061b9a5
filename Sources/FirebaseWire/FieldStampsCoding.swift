internal import JSONText
package import SyncModel

/// How the stamps of fields are spelled in a record (`_f`, `docs/protocol.md` section 6).
///
/// `{"_": the common stamp, "<field>": its stamp}`; of a field whose members have stamps of their own
/// `{"_": its stamp, "<member>": its stamp}`, the member's name percent-encoded, because it may not be a legal key.
package enum FieldStampsCoding {
    private static let common = "_"

    /// Appends the object.
    package static func append(_ stamps: FieldStamps, to out: inout [UInt8]) {
        var object: [String: JSONValue] = [common: .string(stamps.common.description)]
        var members: [String: [String: JSONValue]] = [:]
        for (name, stamp) in stamps.named where name != common {
            guard let slash = name.firstIndex(of: "/") else {
                object[name] = .string(stamp.description)
                continue
            }
            let key = encoded(String(name[name.index(after: slash)...]))
            members[String(name[..<slash]), default: [:]][key] = .string(stamp.description)
        }
        for (name, var own) in members {
            own[common] = object[name]
            object[name] = .object(own)
        }
        JSONWriter.append(object, to: &out)
    }

    /// Reads the object; nil where it is not as ``append(_:to:)`` writes it: then every field has the version's stamp.
    package static func stamps(_ value: JSONValue?) -> FieldStamps? {
        guard let object = value?.members, let first = object[common]?.text.flatMap({ Stamp($0) }) else { return nil }
        var stamps = FieldStamps(first)
        for (name, value) in object where name != common {
            if let stamp = value.text.flatMap({ Stamp($0) }) { stamps.named[name] = stamp }
            guard let members = value.members else { continue }
            for (key, value) in members {
                guard let stamp = value.text.flatMap({ Stamp($0) }) else { continue }
                if key == common {
                    stamps.named[name] = stamp
                } else if let member = PercentEncoding.decoded(key) {
                    stamps.named[name + "/" + member] = stamp
                }
            }
        }
        return stamps
    }

    private static func encoded(_ member: String) -> String {
        let text = PercentEncoding.encoded(member).replacing(".", with: "%2E")
        return text == common ? "%5F" : text
    }
}
