internal import SyncModel

/// Which pictures there may be, and who may do what with them.
enum PictureRules {
    /// The most bytes of a picture.
    static let largest = 5 << 20
    /// The most bytes of all pictures together.
    static let capacity: Int64 = 2 << 30
    /// The one folder that there is.
    static let folder = "profiles/"

    /// Throws where `visitor` may not write or remove what has this name, whatever is there.
    static func checkWriting(_ name: String, by visitor: PictureVisitor) throws(ObjectRefusal) -> PictureName {
        guard let picture = PictureName(name) else { throw .denied }
        switch visitor {
        case .administrator, .person(PictureVisitor.daemon): return picture
        case .person(let id) where id.isSpelled(like: picture.person): return picture
        case .person, .nobody: throw .denied
        }
    }

    /// Throws where `visitor` may not read what has this name, whatever is there; a download token is looked at apart.
    static func checkReading(_ name: String, by visitor: PictureVisitor) throws(ObjectRefusal) -> PictureName {
        guard let picture = PictureName(name), visitor != .nobody else { throw .denied }
        return picture
    }

    /// What a picture is, by its first bytes: what is said of it is not believed. Nil for what is none.
    static func type(of bytes: some Collection<UInt8>) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return nil
    }
}

/// Who calls the storage.
enum PictureVisitor: Hashable, Sendable {
    case administrator
    case person(String)
    case nobody

    /// The user as whom daemons write for all.
    static let daemon = "moviesync"
}

/// `profiles/UID.jpg` or `profiles/UID.png`: the picture of a person.
struct PictureName: Hashable, Sendable {
    let text: String
    let person: String

    init?(_ text: String) {
        guard text.hasPrefix(PictureRules.folder), text.hasSuffix(".jpg") || text.hasSuffix(".png") else { return nil }
        let person = text.dropFirst(PictureRules.folder.count).dropLast(4)
        guard (1...128).contains(person.unicodeScalars.count),
            !person.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }
        self.text = text
        self.person = String(person)
    }
}
