internal import ControlCommands

@main
struct Main {
    static func main() async { await ControlTool.main() }
}
