internal import OperatingSystem

/// Puts what a source sends into a file, as long as it may be a picture.
struct PictureIntake {
    /// In bytes.
    static let largest = 8 << 20

    private let file: ReplacingFile
    private var size = 0
    private var start: [UInt8] = []

    init(_ file: ReplacingFile) { self.file = file }

    mutating func take(_ piece: [UInt8]) throws {
        size += piece.count
        guard size <= PictureIntake.largest else {
            throw PictureError("the picture has more than 8 MiB", isMissing: true)
        }
        if start.count < 8 { start += piece.prefix(8) }
        try file.write(piece)
    }

    /// Throws where what has come is no picture.
    func end(from source: String) throws(PictureError) {
        guard PictureType(start) != nil else {
            throw PictureError("\(source) sent neither a JPEG nor a PNG", isMissing: true)
        }
    }
}
