internal import SyncModel

/// Why a call to the storage is answered with an error.
struct ObjectRefusal: Error, Hashable, Sendable {
    var code: Int
    var message: String
    /// A word of Google's for the kind of error, where there is one.
    var status: String?

    init(_ code: Int, _ message: String, status: String? = nil) {
        self.code = code
        self.message = message.oneLine
        self.status = status
    }

    /// The body of the answer.
    var body: JSONValue {
        var error: [String: JSONValue] = ["code": .integer(Int64(code)), "message": .string(message)]
        if let status { error["status"] = .string(status) }
        return ["error": .object(error)]
    }

    static let denied = ObjectRefusal(403, "Permission denied.", status: "PERMISSION_DENIED")
    static let notFound = ObjectRefusal(404, "Not Found.  Could not get object", status: "GET_OBJECT")
    static let unknownPlace = ObjectRefusal(404, "Not Found.")
    static let wrongMethod = ObjectRefusal(405, "The method is not allowed here.")
    static let missingName = ObjectRefusal(400, "The name parameter is missing.")
    static let tooLarge = ObjectRefusal(413, "A picture has at most \(PictureRules.largest >> 20) MiB.")
    static let noPicture = ObjectRefusal(400, "Only pictures are stored here: a JPEG or a PNG.")
    static let noParts = ObjectRefusal(400, "The body is not a part of JSON followed by the picture.")
    static let badMetadata = ObjectRefusal(400, "The metadata is no JSON object of texts, or has more than 8 KiB.")
    static let unknownUpload = ObjectRefusal(404, "There is no such upload, or it has lapsed: begin another one.")
    static let wrongOffset = ObjectRefusal(400, "The bytes do not begin where those before have ended: ask with query.")
    static let noCommand = ObjectRefusal(400, "X-Goog-Upload-Command is start, upload, finalize, query or cancel.")
    static let full = ObjectRefusal(402, "The storage of pictures is full.", status: "QUOTA_EXCEEDED")
    static let busy = ObjectRefusal(503, "Too many bytes of requests wait to be answered: try again")
    static let failed = ObjectRefusal(500, "The server could not do this: its log says why.")
}
