internal import ControlAPI
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird

/// What a request may say beside its path.
struct DeclaredArguments: Sendable {
    /// What its body may be.
    enum Body: Sendable {
        case nothing
        /// JSON with these keys at most.
        case keys([String])
        /// Anything: it is no JSON.
        case bytes

        static func order<Order: ControlOrder>(_ type: Order.Type) -> Body { .keys(type.keys) }
    }

    /// The words of its query.
    var words: [String]
    var body: Body

    /// Refuses a request that says something else: whoever misspells `dryRun` must not have everything done.
    func check(_ request: Request) async throws {
        var said: Set<String> = []
        for (word, value) in request.uri.queryParameters where !(word.isEmpty && value.isEmpty) {
            guard words.contains(String(word)) else { throw unknown("its query", String(word), words) }
            guard said.insert(String(word)).inserted else {
                throw ControlError.badRequest("wordTwice", "'\(word)' stands twice in the query: say it once")
            }
        }
        guard let known = keys, request.uri.queryParameters.get("wait") == nil else { return }
        let text = try await request.body.collect(upTo: ControlRoute.maxBody)
        guard text.readableBytes > 0 else { return }
        guard let said = Self.keys(of: Data(text.readableBytesView), request) else {
            // What has keys is read with care, and says what is wrong with it.
            guard known.isEmpty else { return }
            throw ControlError.badRequest("badBody", "this request knows no body but an empty one, or {}")
        }
        for key in said where !known.contains(key) { throw unknown("its body", key, known) }
    }

    /// The keys that are known; nil where the body has none.
    private var keys: [String]? {
        switch body {
        case .nothing: []
        case .keys(let keys): keys
        case .bytes: nil
        }
    }

    /// What stands in a body by name: in an object of JSON, or in a form, which is what curl sends unless told otherwise; nil
    /// where it is neither.
    private static func keys(of body: Data, _ request: Request) -> [String]? {
        if let object = try? ControlJSON.read(NamedKeys.self, from: body) { return object.names }
        guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true else { return nil }
        return String(decoding: body, as: UTF8.self).split(separator: "&").map { part in
            String(part.prefix { $0 != "=" })
        }
    }

    private func unknown(_ place: String, _ word: String, _ known: [String]) -> ControlError {
        let names = known.isEmpty ? "none there" : known.joined(separator: ", ")
        return .badRequest("unknownWord", "this request knows no '\(word.prefix(60))' in \(place): it knows \(names)")
    }
}

/// The keys of an object, whatever their values are.
private struct NamedKeys: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    var names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).sorted()
    }
}
