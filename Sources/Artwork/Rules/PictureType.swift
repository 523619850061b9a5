/// What a picture is, by its first bytes: what a header says of it is not believed.
enum PictureType: String {
    case jpeg = "image/jpeg"
    case png = "image/png"

    init?(_ start: some Collection<UInt8>) {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else {
            return nil
        }
    }
}
