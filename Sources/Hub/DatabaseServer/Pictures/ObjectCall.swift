internal import SyncModel

/// What a request wants of the storage of pictures, by its method, path and parameters.
struct ObjectCall: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        case upload(name: String)
        /// An upload in several requests begins.
        /// - Parameter length: of the picture, in bytes; nil where nobody says.
        case begin(name: String, length: Int?)
        /// It goes on.
        case goOn(id: String, UploadStep)
        case metadata(name: String)
        /// - Parameter token: what a download address carries; nil where it carries none.
        case download(name: String, token: String?)
        case change(name: String)
        case remove(name: String)
        case list(ObjectListing)
        /// Nothing that is there; the status and why.
        case refused(ObjectRefusal)
    }

    /// As the client calls it: there is one storage, by whatever name.
    let bucket: String
    let action: Action

    /// Nil where the path is none of the storage.
    ///
    /// - Parameters:
    ///   - path: without its query. Paths of databases end with `.json`, and none of these does.
    ///   - parameters: decoded.
    ///   - step: where the headers are those of an upload in several requests.
    init?(
        method: String, path: Substring, parameters: [(name: String, value: String)], step: UploadStep? = nil
    ) {
        guard !path.utf8.suffix(5).elementsEqual(".json".utf8) else { return nil }
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if parts.first == "firebasestorage.googleapis.com" { parts = parts.dropFirst() }
        guard parts.starts(with: ["v0", "b"]) else { return nil }
        let decoded = parts.dropFirst(2).map { PercentEncoding.decoded($0) ?? "" }
        bucket = decoded.first ?? ""
        guard !bucket.isEmpty, (2...3).contains(decoded.count), decoded[1] == "o" else {
            action = .refused(.unknownPlace)
            return
        }
        let named = Dictionary(parameters.map { ($0.name, $0.value) }) { _, last in last }
        // One client names what it removes as others name what they upload.
        let said = decoded.count == 3 ? decoded[2] : named["name"]
        let name = said.flatMap { $0.isEmpty ? nil : $0 }
        if method == "POST", let step {
            action = ObjectCall.action(step, name, named["upload_id"])
        } else {
            action = ObjectCall.action(method, name, named)
        }
    }

    private static func action(_ step: UploadStep, _ name: String?, _ id: String?) -> Action {
        guard !step.commands.isEmpty else { return .refused(.noCommand) }
        if step.commands.contains(.start) {
            return name.map { .begin(name: $0, length: step.length) } ?? .refused(.missingName)
        }
        return id.map { .goOn(id: $0, step) } ?? .refused(.unknownUpload)
    }

    private static func action(_ method: String, _ name: String?, _ parameters: [String: String]) -> Action {
        switch (method, name) {
        case ("POST", let name?): .upload(name: name)
        case ("POST", nil): .refused(.missingName)
        case ("GET", let name?):
            parameters["alt"] == "media" ? .download(name: name, token: parameters["token"]) : .metadata(name: name)
        case ("GET", nil): listing(parameters)
        case ("PATCH", let name?): .change(name: name)
        case ("DELETE", let name?): .remove(name: name)
        default: .refused(.wrongMethod)
        }
    }

    private static func listing(_ parameters: [String: String]) -> Action {
        do throws(ObjectRefusal) {
            return .list(try ObjectListing(parameters))
        } catch {
            return .refused(error)
        }
    }
}

/// A page of a list of names.
struct ObjectListing: Hashable, Sendable {
    static let most = 1000

    /// Empty, or ends with a slash.
    var prefix: String
    /// Whether what stands further below is only named by the folder that it is in.
    var isShallow: Bool
    var limit: Int
    /// The last name of the page before; nil for the first one.
    var after: String?

    init(_ parameters: [String: String]) throws(ObjectRefusal) {
        prefix = parameters["prefix"] ?? ""
        guard prefix.isEmpty || prefix.hasSuffix("/") else {
            throw ObjectRefusal(
                400, "The prefix parameter is required to be empty or ends with a single / character.")
        }
        let delimiter = parameters["delimiter"] ?? ""
        guard delimiter.isEmpty || delimiter == "/" else {
            throw ObjectRefusal(400, "Only / is a delimiter.")
        }
        isShallow = delimiter == "/"
        let asked = parameters["maxResults"].map { Int($0) ?? 0 } ?? ObjectListing.most
        guard asked > 0 else { throw ObjectRefusal(400, "maxResults is a number from 1 to \(ObjectListing.most).") }
        limit = min(asked, ObjectListing.most)
        after = parameters["pageToken"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
