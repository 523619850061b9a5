/// Pictures of what is in catalogs and in the library.
package protocol ArtworkService: Sendable {
    /// A picture in a width of 1 to 4096 pixels, or less where there is no larger one; never enlarged.
    ///
    /// - Parameter key: its `https` address, or what a catalog calls it, such as `tmdb:/abc.jpg`.
    /// - Throws: ``ControlError``: `badRequest` (400), `hostNotAllowed` (403) where no catalog has pictures on that host,
    ///   `noPicture` (404), `unavailable` (502).
    func picture(_ key: String, width: Int) async throws -> ArtworkReply

    /// The picture of a person in the same manner.
    ///
    /// - Parameter address: as a profile has it; only what is in the storage of the remote is fetched.
    /// - Throws: ``ControlError``: `noPicture` (404), `unavailable` (502).
    func portrait(_ address: String, width: Int) async throws -> ArtworkReply

    /// Stores a JPEG or PNG as the picture of a person, made small and without its metadata, in place of the one before.
    ///
    /// - Returns: what the person's profile has to say.
    /// - Throws: ``ControlError``: `sessionEnded` (403), `noStorage` (409), `badPicture` (422), `remoteFailed` (502).
    func store(_ picture: [UInt8], of person: String) async throws -> PortraitReply

    /// Removes the picture of a person from the storage; again: no effect. The profile still names it then.
    ///
    /// - Throws: ``ControlError``: `sessionEnded` (403), `noStorage` (409), `remoteFailed` (502).
    func removePicture(of person: String) async throws
}

/// Where a person's picture is seen.
package struct PortraitReply: Codable, Hashable, Sendable {
    /// The address, as the field `photo` of a profile.
    package var photo: String

    package init(photo: String) { self.photo = photo }
}

/// A picture, read piece by piece.
package struct ArtworkReply: Sendable {
    /// `image/jpeg` or `image/png`.
    package var type: String
    /// Names the picture in this width, with quotation marks as HTTP has them.
    package var tag: String
    /// In bytes.
    package var size: Int
    /// Up to `count` bytes from `offset` on.
    package var read: @Sendable (_ offset: UInt64, _ count: Int) throws -> [UInt8]

    package init(
        type: String, tag: String, size: Int,
        read: @escaping @Sendable (_ offset: UInt64, _ count: Int) throws -> [UInt8]
    ) {
        self.type = type
        self.tag = tag
        self.size = size
        self.read = read
    }
}

/// No pictures at all.
package struct NoArtwork: ArtworkService {
    package init() {}

    package func picture(_ key: String, width: Int) throws -> ArtworkReply {
        throw ControlError(404, "noPicture", "this daemon gives out no pictures")
    }

    package func portrait(_ address: String, width: Int) throws -> ArtworkReply { try picture(address, width: width) }

    package func store(_ picture: [UInt8], of person: String) throws -> PortraitReply {
        throw ControlError(409, "noStorage", "this daemon stores no pictures")
    }

    package func removePicture(of person: String) throws {
        throw ControlError(409, "noStorage", "this daemon stores no pictures")
    }
}
