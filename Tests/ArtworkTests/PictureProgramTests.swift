import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Artwork

struct PictureProgramTests {
    private let painter: Painter

    init() throws { painter = try Painter() }

    @Test(arguments: [(100, [100, 50]), (1, [1, 1]), (400, [400, 200]), (4000, [400, 200])])
    func `a picture is at most as wide as wanted, in its proportions`(width: Int, size: [Int]) async throws {
        let jpeg = try await painter.jpeg(of: Drawing.png(width: 400, height: 200), width: width)
        #expect(Drawing.size(ofJPEG: jpeg) == size)
        // A JPEG again, by a decoder that scales while it decodes.
        let again = try await painter.jpeg(of: jpeg, width: width)
        #expect(Drawing.size(ofJPEG: again) == size)
    }

    @Test(arguments: [
        (400, 200, 100, 100, [100, 50]), (200, 400, 100, 100, [50, 100]), (30, 40, 100, 100, [30, 40]),
        (2, 400, 100, 100, [1, 50]), (400, 400, 100, 50, [50, 50]),
    ])
    func `a picture is no larger than wanted either way, however it is turned`(
        width: Int, height: Int, mostWidth: Int, mostHeight: Int, size: [Int]
    ) async throws {
        let png = Drawing.png(width: width, height: height)
        let jpeg = try await painter.jpeg(of: png, width: mostWidth, height: mostHeight)
        #expect(Drawing.size(ofJPEG: jpeg) == (size == [1, 50] ? [1, 200] : size))
        let lying = try await painter.jpeg(of: Drawing.png(width: height, height: width), width: 4096)
        let turned = try await painter.jpeg(of: Drawing.turned(lying, 6), width: mostWidth, height: mostHeight)
        #expect(Drawing.size(ofJPEG: turned) == Drawing.size(ofJPEG: jpeg))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9] as [UInt8])
    func `a picture is turned as it says, and says so no more`(orientation: UInt8) async throws {
        let jpeg = try await painter.jpeg(of: Drawing.png(width: 400, height: 200), width: 400)
        let turned = try await painter.jpeg(of: Drawing.turned(jpeg, orientation), width: 50)
        #expect(Drawing.size(ofJPEG: turned) == ((5...8).contains(orientation) ? [50, 100] : [50, 25]))
        #expect(!String(decoding: turned, as: UTF8.self).contains("Exif"))
    }

    /// Where the quarters go: the one that is shown at each place.
    private static let quarters: [(UInt8, [Int])] = [
        (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]), (5, [0, 2, 1, 3]),
        (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]),
    ]

    @Test(arguments: quarters)
    func `what was on one side is where the orientation says`(orientation: UInt8, order: [Int]) async throws {
        let jpeg = try await painter.jpeg(of: Drawing.png(width: 64, height: 64), width: 64)
        let turned = try await painter.jpeg(of: Drawing.turned(jpeg, orientation), width: 64)
        let drawn = Drawing.png(width: 64, height: 64, order.map { Drawing.greys[$0] })
        let expected = try await painter.jpeg(of: try await painter.jpeg(of: drawn, width: 64), width: 64)
        #expect(turned == expected)
    }

    @Test func `what is no picture is refused in words`() async {
        for body in ["<html>", ""] {
            let refusal = await painter.refusal(of: Array(body.utf8))
            #expect(refusal == "moviesync-picture: this is neither a JPEG nor a PNG")
        }
        let cut = Array(Drawing.png(width: 100, height: 100).prefix(1000))
        #expect(await painter.refusal(of: cut)?.hasPrefix("moviesync-picture: ") == true)
        let lie = Drawing.png(width: 10, height: 10, saying: (60_000, 60_000))
        #expect(await painter.refusal(of: lie) == "moviesync-picture: the picture has more than 40 million pixels")
        let large = Drawing.png(width: 10, height: 10) + [UInt8](repeating: 0, count: 8 << 20)
        #expect(await painter.refusal(of: large) == "moviesync-picture: the picture has more than 8 MiB")
    }

    @Test func `foreign bytes end it in words or not at all`() async throws {
        var random = SeededRandom(7)
        let jpeg = try await painter.jpeg(of: Drawing.png(width: 64, height: 64), width: 64)
        for body in [jpeg, Drawing.turned(jpeg, 6), Drawing.png(width: 64, height: 64)] {
            for _ in 0..<40 {
                var changed = body
                for _ in 0..<(1 + random.below(8)) {
                    changed[8 + random.below(changed.count - 8)] = UInt8(random.below(256))
                }
                let refusal = await painter.refusal(of: changed)
                #expect(refusal?.hasPrefix("moviesync-picture: ") ?? true)
                #expect(refusal?.contains("ended:") != true)
            }
        }
    }

    /// Why there is no picture, where such a script stands for the program.
    private func failure(of script: String, patience: Duration) async throws -> PictureError? {
        let folder = try TemporaryFolder()
        let program = folder("program")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        do {
            _ = try await PictureProgram(path: program, patience: patience).jpeg(of: program, width: 100)
            return nil
        } catch {
            return error as? PictureError
        }
    }

    @Test func `a picture that takes too long is none, and one for which there was no time is one`() async throws {
        let program = BuiltProgram.moviesyncPicture.path.string
        // It has set its limits as soon as it reads more than a pipe holds.
        let script = """
            mkfifo "$0.pipe"; '\(program)' 100 < "$0.pipe" & exec 3> "$0.pipe"
            head -c 200000 /dev/zero >&3; kill -XCPU $!; wait $!
            """
        let worked = try await failure(of: script, patience: .seconds(600))
        #expect(worked == PictureError("moviesync-picture: it takes too long to decode", isMissing: true))
        let waited = try await failure(of: "exec sleep 600", patience: .seconds(1))
        #expect(waited == PictureError("moviesync-picture had no answer after 1 s"))
    }

    @Test func `a width that is none is a usage error`() async throws {
        for arguments in [[], ["0"], ["4097"], ["-5"], ["1x"], ["1", "0"], ["1", "2", "3"]] {
            let result = try await BuiltProgram.moviesyncPicture.run(arguments)
            #expect(result.ending == .exited(64) && result.errors.hasPrefix("usage: "))
        }
    }
}
