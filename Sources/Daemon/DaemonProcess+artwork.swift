internal import Artwork
internal import CatalogDesk
internal import ControlAPI
internal import FoundationEssentials
internal import OperatingSystem
internal import PluginKit
internal import Synchronization

extension DaemonProcess {
    /// The pictures of catalogs, and what tells them of other settings.
    func artwork(_ desk: CatalogDesk) -> (desk: ArtworkDesk, configure: @Sendable (Settings) -> Void) {
        let catalogs = plugins.catalogs
        let places = Shared(CatalogKeys.imagePlaces(catalogs, settings))
        let artwork = ArtworkDesk(
            ArtworkContext(
                version: MoviesyncVersion.current, folder: settings[ArtworkKeys.cache] ?? "",
                capacity: settings[ArtworkKeys.capacity] << 20, program: DaemonProcess.pictureProgram,
                catalogs: { desk.descriptions }, places: { places.value.withLock(\.self) },
                resolve: PublicAddress.of, wall: DaemonProcess.wall, logger: logger))
        return (artwork, { settings in places.value.withLock { $0 = CatalogKeys.imagePlaces(catalogs, settings) } })
    }

    private final class Shared: Sendable {
        let value: Mutex<[String: String]>

        init(_ value: [String: String]) { self.value = Mutex(value) }
    }

    /// Beside the daemon, as it is built, or where `make install` puts what people do not start themselves.
    private static var pictureProgram: String {
        let own = Folder.resolved("/proc/self/exe").map(Folder.containing) ?? "/usr/bin"
        let beside = Folder.path("moviesync-picture", in: own)
        guard !FileManager.default.isExecutableFile(atPath: beside) else { return beside }
        return Folder.path("libexec/moviesync/moviesync-picture", in: Folder.containing(own))
    }
}
