internal import Books
internal import Daemon

/// `moviesyncd run` with the collection of the documentation's example.
@main struct Main {
    static func main() async { await Moviesyncd.run(adding: [Books()]) }
}
