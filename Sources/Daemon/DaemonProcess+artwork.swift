internal import Artwork
internal import CatalogDesk
internal import ControlAPI
internal import FoundationEssentials
internal import OperatingSystem
internal import PluginKit
internal import SyncEngine

extension DaemonProcess {
    /// The pictures of catalogs and of people.
    func artwork(_ desk: CatalogDesk, _ engine: SyncEngine) -> ArtworkDesk {
        ArtworkDesk(
            ArtworkContext(
                version: MoviesyncVersion.current, folder: settings[ArtworkKeys.cache] ?? "",
                capacity: settings[ArtworkKeys.capacity] << 20, program: DaemonProcess.pictureProgram,
                catalogs: { desk.descriptions }, resolve: PublicAddress.of, pictures: { engine.pictures },
                store: { engine.pictures(of: $0) },
                wall: DaemonProcess.wall, logger: logger),
            places: CatalogKeys.imagePlaces(plugins.catalogs, settings))
    }

    /// Beside the daemon, as it is built, or where `make install` puts what people do not start themselves.
    private static var pictureProgram: String {
        let own = Folder.resolved("/proc/self/exe").map(Folder.containing) ?? "/usr/bin"
        let beside = Folder.path("moviesync-picture", in: own)
        guard !FileManager.default.isExecutableFile(atPath: beside) else { return beside }
        return Folder.path("libexec/moviesync/moviesync-picture", in: Folder.containing(own))
    }
}
