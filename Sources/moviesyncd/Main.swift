internal import ControlCommands
internal import Daemon

/// The daemon; the control tool where it is called by that name. An installation has one file for both, since most of it
/// is the libraries that they share.
@main struct Main {
    static func main() async {
        let name = CommandLine.arguments.first?.split(separator: "/").last
        if name == "moviesync" { await ControlTool.main() } else { await Moviesyncd.main() }
    }
}
