import JSONText
import SyncModel
import TestSupport

@testable import DatabaseServer
@testable import Firebase

extension FuzzTarget {
    /// A call to the hub's storage of pictures: its method, target and body, each after a line break.
    static let pictureCall = FuzzTarget(
        "pictureCall",
        seeds: [
            "POST\n/v0/b/demo.appspot.com/o?name=profiles%2Fanna.jpg\n--b\r\nContent-Type: application/json\r\n\r\n"
                + "{\"cacheControl\":\"no-store\",\"metadata\":{\"a\":\"b\"}}\r\n--b\r\n\r\n\u{1}\u{2}\r\n--b--",
            "PATCH\n/v0/b/demo/o/profiles%2Fanna.png\n{\"contentLanguage\":null,\"metadata\":{\"a\":null}}",
            "GET\n/firebasestorage.googleapis.com/v0/b/demo/o/profiles%2Fanna.jpg?alt=media&token=x\n",
            "GET\n/v0/b/demo/o?prefix=profiles/&delimiter=/&maxResults=2&pageToken=profiles/a.jpg\n",
            "DELETE\n/v0/b/demo/o?name=profiles/%C3%A9.jpg\n",
        ],
        words: [
            "\r\n--b", "--b--", "\r\n\r\n", "%2F", "..", "profiles/", ".jpg", ".json", "metadata", "alt=media", "-1",
        ], trial: judge)

    private static func judge(_ input: [UInt8]) throws -> Bool {
        let parts = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let target = String(validating: parts[1], as: UTF8.self),
            let (path, parameters) = try? RestRequest.split(target),
            let call = ObjectCall(
                method: String(decoding: parts[0], as: UTF8.self), path: path, parameters: parameters)
        else { return false }
        var isTaken = false
        let body = Array(parts[2])
        if let both = TwoParts(body, boundary: "b") {
            isTaken = true
            try promise(both.json.count + both.content.count < body.count, "two parts are more than the whole")
        }
        if case .upload(let name) = call.action, let picture = PictureName(name) {
            try promise(!picture.person.contains("/") && !picture.person.isEmpty, "\(name) is nobody's")
            var metadata = PictureMetadata(picture, type: "image/png", size: 1, md5: "", token: "t", now: 1)
            if let said = try? JSONReader.members(body), (try? metadata.say(said)) != nil {
                isTaken = true
                let again = PictureMetadata(stored: metadata.stored)
                try promise(again == metadata, "\(metadata) is another one once stored")
                try promise(metadata.json(in: "b").members?["name"] == .string(name), "\(name) has another name")
            }
        }
        // Whatever an address says, the own storage is asked, and what was made of it stays so.
        let storage = StoragePlace(try DatabaseLocation(FirebaseSettings(url: "http://own:1")), bucket: nil)
        if let own = storage?.own("https://x" + target) {
            isTaken = true
            try promise(own.hasPrefix("http://own:1/v0/b/moviesync/o/"), "\(own) is elsewhere")
            try promise(storage?.own(own) == own, "\(own) is another one the second time")
        }
        return isTaken
    }
}
