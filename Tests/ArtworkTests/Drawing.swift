import Foundation
import OperatingSystem
import SystemPackage
import TestSupport

@testable import Artwork

/// Pictures as plain as their formats allow.
enum Drawing {
    /// Four greys: a JPEG keeps them as they are where its blocks meet, too.
    static let greys: [[UInt8]] = [0, 80, 160, 255].map { [$0, $0, $0] }

    /// A PNG of one colour for each quarter: top left, top right, bottom left, bottom right.
    static func png(
        width: Int, height: Int, _ quarters: [[UInt8]] = greys, saying: (width: Int, height: Int)? = nil
    ) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows += quarters[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)] }
        }
        let said = saying ?? (width, height)
        let header = number(said.width) + number(said.height) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", deflated(rows))
            + chunk("IEND", [])
    }

    private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        var sum: UInt32 = .max
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return number(data.count) + body + number(Int(sum ^ .max))
    }

    /// zlib's format without compression.
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var (one, two) = (1, 0)
        for start in stride(from: 0, to: bytes.count, by: 65535) {
            let piece = bytes[start..<min(start + 65535, bytes.count)]
            out.append(piece.endIndex == bytes.count ? 1 : 0)
            for count in [piece.count, ~piece.count] { out += [UInt8(count & 255), UInt8(count >> 8 & 255)] }
            out += piece
            for byte in piece {
                one = (one + Int(byte)) % 65521
                two = (two + one) % 65521
            }
        }
        return out + number(two << 16 | one)
    }

    /// The JPEG with an Exif block that says how it has to be turned, right after its beginning.
    static func turned(_ jpeg: [UInt8], _ orientation: UInt8) -> [UInt8] {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let block = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
        return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(block.count + 2)] + block + jpeg.dropFirst(2)
    }

    /// Width and height by the frame header of a baseline JPEG.
    static func size(ofJPEG bytes: [UInt8]) -> [Int]? {
        var at = 2
        while at + 9 < bytes.count, bytes[at] == 0xFF {
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            if bytes[at + 1] == 0xC0 {
                return [Int(bytes[at + 7]) << 8 | Int(bytes[at + 8]), Int(bytes[at + 5]) << 8 | Int(bytes[at + 6])]
            }
            at += 2 + length
        }
        return nil
    }
}

/// moviesync-picture, as the daemon starts it.
struct Painter {
    private let folder: TemporaryFolder
    let program = PictureProgram(path: BuiltProgram.moviesyncPicture.path.string, patience: .seconds(60))

    init() throws { folder = try TemporaryFolder() }

    func jpeg(of body: [UInt8], width: Int, height: Int? = nil) async throws -> [UInt8] {
        let path = folder("picture")
        try Data(body).write(to: URL(filePath: path))
        return try await program.jpeg(of: path, width: width, height: height)
    }

    /// Why there is no picture.
    func refusal(of body: [UInt8], width: Int = 100) async -> String? {
        do {
            _ = try await jpeg(of: body, width: width)
            return nil
        } catch {
            return (error as? PictureError)?.words ?? "\(error)"
        }
    }
}
