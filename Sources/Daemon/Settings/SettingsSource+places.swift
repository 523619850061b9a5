internal import ControlAPI
internal import PluginKit
internal import SyncModel
internal import SystemPackage

extension SettingsSource {
    /// Where the configuration puts things, as far as it can be read; what is wrong with it is told beside it.
    func places() async -> ConfiguredPlaces {
        let reading = await read()
        var places = ConfiguredPlaces(
            file: reading.file?.string, collections: schemas(of: reading.settings),
            problems: reading.problems.map(\.description), warnings: reading.warnings)
        places.state = reading.settings?.state.string
        places.journal = reading.settings?.journal.string
        places.socket = reading.settings?.socket.string
        places.maxAheadMs = reading.settings.map { Int64(clamping: $0[CoreKeys.maxAhead].milliseconds) }
        return places
    }

    private func schemas(of settings: Settings?) -> [CollectionSchema] {
        let known = (try? plugins().collections) ?? []
        guard let enabled = settings?.collections.map(\.id) else { return known.map(\.schema) }
        return enabled.compactMap { id in known.first { $0.id == id }?.schema }
    }
}
