/// The sizes in which a source has all of its pictures: `BASE` `wWIDTH` `PATH`, or `BASE` `original` `PATH`.
public struct CatalogImageSizes: Hashable, Sendable {
    /// What all addresses begin with; ends with a slash.
    public var base: String
    /// In pixels, ascending.
    public var widths: [Int]

    public init(base: String, widths: [Int]) {
        self.base = base
        self.widths = widths.sorted()
    }

    /// The address of a picture at least `width` pixels wide: the smallest, or the original where none is.
    public func url(of path: String, width: Int) -> String {
        base + (widths.first { $0 >= width }.map { "w\($0)" } ?? "original") + path
    }

    /// The path of a picture from an address of any size, or from the path itself, which begins with a slash; nil for what
    /// is not one of its pictures.
    public func path(of text: String) -> String? {
        if text.hasPrefix("/") { return text }
        guard text.hasPrefix(base) else { return nil }
        let rest = text.dropFirst(base.count)
        return rest.firstIndex(of: "/").map { String(rest[$0...]) }
    }
}
