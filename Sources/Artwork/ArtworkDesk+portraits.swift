package import ControlAPI
internal import Logging
internal import OperatingSystem
internal import PluginKit
internal import SyncModel

/// Pictures of people, from and for the storage of the remote.
extension ArtworkDesk {
    /// The longest side of what is stored, in pixels.
    private static let longestSide = 512

    package func portrait(_ address: String, width: Int) async throws -> ArtworkReply {
        guard let place = context.pictures()?.place(of: address) else {
            throw ControlError(404, "noPicture", "this address names no picture in the storage of the remote")
        }
        return try await picture(
            ArtworkPlan(source: place, host: "the storage of the remote", width: width, isPortrait: true))
    }

    package func store(_ picture: [UInt8], of person: String) async throws -> PortraitReply {
        let storage = try storage(of: person)
        guard PictureType(picture) != nil else {
            throw ControlError(422, "badPicture", "this is no picture: give a JPEG or a PNG")
        }
        let jpeg = try await reduced(picture)
        do {
            let address = try await storage.store(jpeg, of: person)
            context.logger.notice("A picture was stored", metadata: ["event": "picture.stored", "person": "\(person)"])
            return PortraitReply(photo: address)
        } catch let error as RemoteError {
            throw ControlError(error, "the picture can't be stored")
        }
    }

    package func removePicture(of person: String) async throws {
        do {
            try await storage(of: person).remove(of: person)
            context.logger.notice(
                "A picture was removed", metadata: ["event": "picture.removed", "person": "\(person)"])
        } catch let error as RemoteError {
            throw ControlError(error, "the picture can't be removed")
        }
    }

    private func storage(of person: String) throws -> any RemotePictures {
        guard let storage = context.store(person) else {
            throw ControlError(
                409, "noStorage",
                "the remote keeps no pictures: a hub does with --accounts (local.accounts), Firebase with remote.bucket"
            )
        }
        return storage
    }

    /// The picture as it is stored: no larger than needed, and with nothing that it says of where and when it was taken.
    private func reduced(_ picture: [UInt8]) async throws -> [UInt8] {
        do {
            // Never finished: the file goes as soon as nobody holds it.
            let file = try cache.begin("upload-" + RecordID.random().description)
            defer { withExtendedLifetime(file) {} }
            try file.write(picture)
            let side = ArtworkDesk.longestSide
            return try await program.jpeg(of: file.unfinishedPath, width: side, height: side)
        } catch let error as PictureError where error.isMissing {
            throw ControlError(422, "badPicture", "this picture can't be used: \(error.words)")
        } catch let error as PictureError {
            throw ControlError(500, "noProgram", error.words)
        } catch let error as SystemError {
            throw ControlError(500, "unavailable", "the picture can't be looked at: \(error)")
        }
    }

    /// Fetches a picture of the storage as of now, which may be another one than when it was planned.
    func fetchPortrait(_ plan: ArtworkPlan, into file: ReplacingFile) async throws {
        guard let storage = context.pictures(), storage.place(of: plan.source) == plan.source else {
            throw PictureError("the remote has changed")
        }
        var intake = PictureIntake(file)
        let isThere: Bool
        do {
            isThere = try await storage.fetch(plan.source) { try intake.take($0) }
        } catch let error as RemoteError {
            throw PictureError(error.message)
        }
        guard isThere else { throw PictureError("the storage has no such picture", isMissing: true) }
        try intake.end(from: plan.host)
    }
}

extension ControlError {
    /// Why the remote does not do what it was asked for.
    ///
    /// - Parameter what: can't be done for it.
    fileprivate init(_ error: RemoteError, _ what: String) {
        let words = "\(what): \(error.message)"
        self =
            error.code == .sessionEnded
            ? ControlError(403, "sessionEnded", words) : ControlError(502, "remoteFailed", words)
    }
}
