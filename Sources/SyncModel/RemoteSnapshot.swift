/// What the remote was last known to hold under a record's key: the common ground of the two sides.
package struct RemoteSnapshot: Hashable, Sendable {
    /// The stamp it carries; nil where an app without stamps wrote it.
    package var stamp: Stamp?
    /// The stamp of the last stamped version that stood there, while ``stamp`` is nil; nil if there never was one.
    package var lastStamp: Stamp?
    /// The stamps that the fields had in that version, each by its name where its value tells of it (a default's); nil where
    /// they are not known, and while ``stamp`` is not nil.
    package var lastFieldStamps: FieldStamps?
    package var content: Content
    /// The stamps of the fields; nil where it carries none.
    package var fieldStamps: FieldStamps?
    /// For a conditional write; nil where only an event or a batch told of it.
    package var etag: String?
    /// Whether all is there that the apps expect: keys that identify the record, defaults, values of the right type.
    package var isComplete: Bool

    package init(
        stamp: Stamp?, lastStamp: Stamp? = nil, lastFieldStamps: FieldStamps? = nil, content: Content,
        fieldStamps: FieldStamps? = nil, etag: String? = nil, isComplete: Bool = true
    ) {
        self.stamp = stamp
        self.lastStamp = lastStamp
        self.lastFieldStamps = lastFieldStamps
        self.content = content
        self.fieldStamps = fieldStamps ?? stamp.map { FieldStamps($0) }
        self.etag = etag
        self.isComplete = isComplete
    }

    /// The stamp of the last stamped version that is known to have stood there.
    package var newestStamp: Stamp? { stamp ?? lastStamp }

    /// The earliest that an edit gave one of its fields; nil where none is known.
    package var earliestStamp: Stamp? {
        guard let stamps = fieldStamps ?? lastFieldStamps else { return newestStamp }
        return ([stamps.common] + stamps.named.values).filter { $0 != .zero }.min()
    }

    /// The content with its stamps; nil where it carries none.
    package var stamped: StampedContent? { fieldStamps.map { StampedContent(content, $0) } }

    /// The same, where it carries none with the stamps that the fields had before an app wrote over them; nil where those are
    /// not known either.
    package var lastStamped: StampedContent? {
        (fieldStamps ?? lastFieldStamps).map { StampedContent(content, $0) }
    }
}
