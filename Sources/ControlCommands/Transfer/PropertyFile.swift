internal import ArgumentParser
internal import FoundationEssentials
internal import JSONText
internal import OperatingSystem
internal import SyncModel

/// A file of values as other programs write and read it: JSON, or a property list in XML.
enum PropertyFile {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case json, plist

        /// What the name of a file says; JSON where it says nothing.
        init(of file: String) { self = file.hasSuffix(".plist") ? .plist : .json }
    }

    /// The text of a value. A property list knows no null: members without a value are left out.
    ///
    /// - Throws: where a property list can't hold it.
    static func text(_ value: JSONValue, as format: Format) throws -> [UInt8] {
        switch format {
        case .json: return JSONWriter.text(value) + [UInt8(ascii: "\n")]
        case .plist:
            if let text = value.textBeyondXML {
                let name = JSONWriter.string(.string(text))
                throw CommandFailure(
                    .badData, "a property list can't hold the control character in \(name): write JSON instead")
            }
            if let member = value.memberWithNull {
                let name = member.isEmpty ? "an array" : "an array of \(JSONWriter.string(.string(member)))"
                throw CommandFailure(.badData, "a property list can't hold the null in \(name): write JSON instead")
            }
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .xml
            return PropertyFile.escaped(Array(try encoder.encode(value.withoutNulls)))
        }
    }

    /// Whoever reads XML takes a carriage return for the end of a line, unless it is written as a number. The encoder
    /// itself writes none.
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        let sign = UInt8(ascii: "\r")
        guard text.contains(sign) else { return text }
        return text.flatMap { $0 == sign ? Array("&#13;".utf8) : [$0] }
    }

    /// The value in a text of either form, a binary property list included: which one it is shows at its beginning.
    static func value(of text: [UInt8], name: String) throws(CommandFailure) -> JSONValue {
        let begin = text.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard begin.starts(with: "<".utf8) || begin.starts(with: "bplist".utf8) else {
            do throws(JSONSyntaxError) {
                return try JSONReader.value(begin)
            } catch {
                throw CommandFailure(.badData, "\(name) is neither JSON nor a property list: \(error.message)")
            }
        }
        do {
            return try PropertyNode.value(of: Array(begin))
        } catch let fault as PropertyNode.Fault {
            throw CommandFailure(.badData, "\(name) \(fault.words)")
        } catch {
            throw CommandFailure(
                .badData, "\(name) is no property list of texts, numbers, truths, arrays and dictionaries")
        }
    }

    /// Reads a file of at most 64 MiB; `-` is standard input.
    static func read(_ file: String) throws -> JSONValue {
        var text: [UInt8] = []
        do {
            try InputFile.read(file) { chunk in
                text += chunk
                guard text.count <= maxSize else {
                    throw CommandFailure(.badData, "\(file) has more than 64 MiB: import it in parts")
                }
            }
        } catch let error as SystemError {
            throw CommandFailure(.inputOutput, "\(error)")
        }
        return try value(of: text, name: file == "-" ? "standard input" : file)
    }

    private static let maxSize = 64 << 20

    /// Writes a file, which appears when it is complete, and says so as JSON; `-` is standard output.
    static func write(_ text: [UInt8], to file: String, _ output: Output) throws {
        guard file != "-" else { return try output.write(text) }
        do throws(SystemError) {
            let target = try ReplacingFile(path: file, mode: 0o644)
            try target.write(text)
            try target.finish()
        } catch {
            throw CommandFailure(.inputOutput, "\(error)")
        }
        try output.show(WrittenAnswer(file, bytes: text.count))
    }
}

extension JSONValue {
    /// A text in it with a character that XML 1.0 has no way to write.
    fileprivate var textBeyondXML: String? {
        switch self {
        case .string(let text): text.unicodeScalars.allSatisfy(JSONValue.isXML) ? nil : text
        case .object(let members):
            members.keys.first { !$0.unicodeScalars.allSatisfy(JSONValue.isXML) }
                ?? members.values.lazy.compactMap(\.textBeyondXML).first
        case .array(let elements): elements.lazy.compactMap(\.textBeyondXML).first
        default: nil
        }
    }

    private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: true
        default: false
        }
    }

    fileprivate var withoutNulls: JSONValue {
        switch self {
        case .object(let members): .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
        case .array(let elements): .array(elements.map(\.withoutNulls))
        default: self
        }
    }

    /// The name of the member that has a null in an array, empty for an array that is no member; nil where there is none.
    fileprivate var memberWithNull: String? {
        switch self {
        case .object(let members):
            members.sorted { $0.key < $1.key }.lazy.compactMap { name, value in
                value.memberWithNull.map { $0.isEmpty ? name : $0 }
            }.first
        case .array(let elements):
            elements.contains(.null) ? "" : elements.lazy.compactMap(\.memberWithNull).first
        default: nil
        }
    }
}
