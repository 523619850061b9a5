internal import BuiltInCollections
internal import Daemon
internal import ExampleBooks
internal import PluginKit
internal import SyncModel

/// `moviesyncd run` with the collection of the documentation's example, also where that has been built in.
@main struct Main {
    static func main() async {
        let example = Books()
        let isBuiltIn = BuiltInCollections.all.contains { $0.id == example.id }
        await Moviesyncd.run(adding: isBuiltIn ? [] : [example])
    }
}
