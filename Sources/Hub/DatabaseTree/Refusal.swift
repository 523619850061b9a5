package import FirebaseWire
internal import SyncModel

/// Why a request is answered with an error: the HTTP status, and the text of the `error` member.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var status: Int
    package var message: String

    /// - Parameter message: may quote anything, see ``Swift/String/oneLine``.
    package init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message.oneLine
    }

    package var description: String { "\(status): \(message)" }

    package static func badRequest(_ message: String) -> Refusal { Refusal(400, message) }

    package static let invalidPath = badRequest("Invalid path: Invalid token in path")
    package static let tooDeep = badRequest("Invalid path: deeper than \(WirePath.maxDepth) levels")
    package static let noData = badRequest("Error: No data supplied.")
    package static let invalidJSON = badRequest("Invalid data; couldn't parse JSON object, array, or value.")
    package static let notAnObject = badRequest(
        "Invalid data; couldn't parse JSON object. Are you sending a JSON object with valid key names?"
    )
    package static let stringTooLong = badRequest("Invalid data; a string is over 10 MB")
    package static let unknownServerValue = badRequest("Invalid data; unknown or malformed .sv")
    package static let invalidPriority = badRequest("Invalid data; a .priority is a number, a string or null")
    package static let valueBesideChildren = badRequest("Invalid data; .value or .sv can't stand beside children")
    package static let valueIsNoPrimitive = badRequest("Invalid data; a .value is a boolean, a number or a string")
    package static let unknownParameter = badRequest("Request does not support one of the query parameters")
    package static let writeTooBig = badRequest(
        "WRITE_TOO_BIG: Data to write exceeds the maximum size that can be modified with a single request."
    )

    static func overlapping(_ path: WirePath, _ other: WirePath) -> Refusal {
        badRequest("Invalid data; \(path) is equal to or above \(other) in one update")
    }

    /// - Parameter offset: where in `text` the key begins, which is named.
    static func invalidKey(at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Refusal {
        let line = text[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
        let column = offset - (text[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1)
        return badRequest(
            "Invalid data; couldn't parse key beginning at \(line):\(column). "
                + "Key value can't be empty or contain $ # [ ] / or ."
        )
    }

    /// The text names the index in the words of the real service, because clients look for them.
    package static func missingIndex(_ order: Query.Order, _ path: WirePath) -> Refusal {
        let name: String
        switch order {
        case .child(let path): name = path.text
        case .value: name = ".value"
        case .key, .priority: name = ".priority"
        }
        return badRequest("Index not defined, add \".indexOn\": \"\(name)\", for path \"\(path)\", to the rules")
    }

    package static let permissionDenied = Refusal(401, "Permission denied")
}

/// Finds the keys in JSON text that was parsed before. By hand, because simdjson does not say where a key stood.
enum JSONKeys {
    /// Where the quote before the key with this number stands; the end where there are fewer.
    static func offset(ofKey number: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var found = 0
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            let start = index
            index += 1
            while index < text.count, text[index] != UInt8(ascii: "\"") {
                index += text[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            index += 1
            while index < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[index]) { index += 1 }
            if index < text.count, text[index] == UInt8(ascii: ":") { found += 1 }
            if found == number { return start }
        }
        return text.count
    }
}
