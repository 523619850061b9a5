/// The fields of a live record, each with the stamp of the edit that set it.
package struct StampedContent: Hashable, Sendable {
    package var content: Content
    package var stamps: FieldStamps

    package init(_ content: Content, _ stamps: FieldStamps) {
        self.content = content
        self.stamps = stamps
    }

    /// The highest stamp of any field.
    package var newest: Stamp { stamps.newest }
}
