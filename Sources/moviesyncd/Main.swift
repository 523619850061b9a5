internal import Daemon

@main struct Main {
    static func main() async { await Moviesyncd.main() }
}
