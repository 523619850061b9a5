package import ControlAPI
internal import Synchronization

/// Pictures of people in memory: each address shows its own letters.
package final class FakeArtwork: ArtworkService {
    private let kept = Mutex<[String: [UInt8]]>([:])

    package init() {}

    /// What was stored last of each person.
    package var stored: [String: [UInt8]] { kept.withLock(\.self) }

    package func picture(_ key: String, width: Int) throws -> ArtworkReply { try portrait(key, width: width) }

    package func portrait(_ address: String, width: Int) throws -> ArtworkReply {
        guard address.hasPrefix("address:") else { throw ControlError(404, "noPicture", "there is none") }
        let bytes = Array("\(address) \(width)".utf8)
        return ArtworkReply(type: "image/jpeg", tag: "\"\(address)-\(width)\"", size: bytes.count) { offset, count in
            Array(bytes[Int(offset)...].prefix(count))
        }
    }

    package func store(_ picture: [UInt8], of person: String) throws -> PortraitReply {
        kept.withLock { $0[person] = picture }
        return PortraitReply(photo: "address:\(person)")
    }

    package func removePicture(of person: String) { kept.withLock { _ = $0.removeValue(forKey: person) } }
}
