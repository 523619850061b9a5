package import Logging
package import PluginKit

/// What the artwork has of its surroundings.
package struct ArtworkContext: Sendable {
    package var version: String
    /// The absolute path of the folder that pictures are kept in; made when it is first needed.
    package var folder: String
    /// How many bytes of pictures are kept.
    package var capacity: Int
    /// The absolute path of moviesync-picture.
    package var program: String
    /// How long moviesync-picture may take for one picture, where the machine has little time for it.
    package var patience: Duration
    /// All catalogs, as they describe themselves now.
    package var catalogs: @Sendable () -> [CatalogDescription]
    /// A public address of a host, as numbers. Throws where it has none, or one that is not public, in words.
    package var resolve: @Sendable (_ host: String) async throws(PictureError) -> String
    /// Where the remote keeps the pictures of people now; nil where it keeps none.
    package var pictures: @Sendable () -> (any RemotePictures)?
    /// The same, where a person's own picture is stored, in their name where that can be.
    package var store: @Sendable (_ person: String) -> (any RemotePictures)?
    /// Milliseconds since 1970.
    package var wall: @Sendable () -> UInt64
    package var logger: Logger

    package init(
        version: String, folder: String, capacity: Int, program: String, patience: Duration = .seconds(60),
        catalogs: @escaping @Sendable () -> [CatalogDescription],
        resolve: @escaping @Sendable (_ host: String) async throws(PictureError) -> String,
        pictures: @escaping @Sendable () -> (any RemotePictures)? = { nil },
        store: (@Sendable (_ person: String) -> (any RemotePictures)?)? = nil,
        wall: @escaping @Sendable () -> UInt64,
        logger: Logger
    ) {
        self.version = version
        self.folder = folder
        self.capacity = capacity
        self.program = program
        self.patience = patience
        self.catalogs = catalogs
        self.resolve = resolve
        self.pictures = pictures
        self.store = store ?? { _ in pictures() }
        self.wall = wall
        self.logger = logger
    }
}

/// Why there is no picture.
package struct PictureError: Error, Hashable {
    /// Whether it is known that there is none; else it may be there another time.
    package var isMissing: Bool
    package var words: String

    package init(_ words: String, isMissing: Bool = false) {
        self.words = words
        self.isMissing = isMissing
    }
}
