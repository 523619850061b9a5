import Crypto
import Foundation
import JSONText
import SyncModel

/// A session that knows of the places that it listens to only what it was told.
final class HeardSession {
    struct Listen {
        let path: [String]
        let query: ModelQuery?
        let tag: Int?
        var heard = ModelTree()

        /// The body of a request about it.
        func body(hash: String? = nil) -> String {
            var members: [String: JSONValue] = ["p": .string("/" + path.joined(separator: "/"))]
            if let query, let tag {
                members["q"] = query.wire
                members["t"] = .integer(Int64(tag))
            }
            if let hash { members["h"] = .string(hash) }
            return JSONWriter.string(.object(members))
        }
    }

    let socket: SocketClient
    private(set) var listens: [Listen] = []

    init(_ socket: SocketClient) { self.socket = socket }

    /// Listens to a place, and hears what is there.
    func listen(_ path: [String], _ query: ModelQuery?) async throws {
        let listen = Listen(path: path, query: query, tag: query == nil ? nil : listens.count + 1)
        listens.append(listen)
        _ = try await ask("q", listen.body(hash: ""))
    }

    /// The answer to a request, with all that was told before it taken in.
    func ask(_ action: String, _ body: String) async throws -> String {
        let number = try await socket.send(action, body)
        return try await answer(number)
    }

    private func answer(_ number: Int) async throws -> String {
        let (answer, pushes) = try await socket.answerAndPushes(number)
        for push in pushes { try take(push) }
        return answer
    }

    /// Listens again with the hash of what is known, and returns what is told.
    func resume(_ index: Int) async throws -> [String] {
        let listen = listens[index]
        _ = try await ask("n", listen.body())
        let number = try await socket.send("q", listen.body(hash: listen.heard.hash))
        return try await socket.answerAndPushes(number).pushes
    }

    /// Takes in one event: `d {…}` or `m {…}`.
    private func take(_ push: String) throws {
        let event = try JSONReader.members(Array(push.dropFirst(2).utf8))
        let place = (event["p"]?.text ?? "").split(separator: "/").map(String.init)
        let tag = event["t"].flatMap { if case .integer(let tag) = $0 { Int(tag) } else { nil } }
        guard let data = event["d"] else { throw Differs(description: "odd: \(push)") }
        for index in listens.indices where listens[index].tag == tag {
            let path = listens[index].path
            guard place.starts(with: path) else { continue }
            // What is below another listen is told once for each, and applying it twice does no harm.
            let below = Array(place.dropFirst(path.count))
            if push.hasPrefix("d ") {
                listens[index].heard.set(below[...], to: ModelTree(data))
            } else {
                for (key, value) in data.members ?? [:] {
                    let keys = below + key.split(separator: "/").map(String.init)
                    listens[index].heard.set(keys[...], to: ModelTree(value))
                }
            }
        }
    }
}

extension SocketClient {
    /// The answer to a request, and what was pushed before it.
    func answerAndPushes(_ number: Int) async throws -> (answer: String, pushes: [String]) {
        let answer = try await answer(number)
        var pushes: [String] = []
        while hasPushes { pushes.append(try await push()) }
        return (answer, pushes)
    }
}

extension ModelQuery {
    /// As client libraries write it.
    var wire: JSONValue {
        var members: [String: JSONValue] = [:]
        switch order {
        case .key: members["i"] = ".key"
        case .value: members["i"] = ".value"
        case .child(let path): members["i"] = .string(path.joined(separator: "/"))
        }
        if let lower {
            members["sp"] = lower.value
            members["sin"] = .bool(lower.inclusive)
            if let key = lower.key { members["sn"] = .string(key) }
        }
        if let upper {
            members["ep"] = upper.value
            members["ein"] = .bool(upper.inclusive)
            if let key = upper.key { members["en"] = .string(key) }
        }
        if let limit {
            members["l"] = .integer(Int64(limit.count))
            members["vf"] = limit.fromEnd ? "r" : "l"
        }
        return .object(members)
    }
}

extension ModelTree {
    /// The hash as the client libraries make it of what they know.
    var hash: String {
        if isEmpty { return "" }
        let text =
            leaf.map(ModelTree.spelling)
            ?? children.sorted { ModelTree.precedes($0.key, $1.key) }.map { ":\($0.key):\($0.value.hash)" }.joined()
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }

    private static func spelling(_ leaf: JSONValue) -> String {
        switch leaf {
        case .bool(let truth): return "boolean:\(truth)"
        case .string(let text): return "string:\(text)"
        case .integer(let number): return "number:" + String(format: "%016llx", Double(number).bitPattern)
        case .number(let number): return "number:" + String(format: "%016llx", number.bitPattern)
        default: return ""
        }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        switch (number(left), number(right)) {
        case (let first?, let second?):
            first == second ? left.utf16.count < right.utf16.count : first < second
        case (.some, nil): true
        case (nil, .some): false
        default: left.utf16.lexicographicallyPrecedes(right.utf16)
        }
    }

    private static func number(_ key: String) -> Int32? {
        key.wholeMatch(of: /-?0*[0-9]{1,10}/) == nil ? nil : Int32(key)
    }
}
