internal import OperatingSystem
internal import SystemPackage

/// The listening control socket: handed over by the service manager, or bound here.
struct ControlSocket: Sendable {
    /// It belongs to the control server, which closes it.
    let descriptor: Int32
    private let bound: UnixListener?

    /// - Throws: `SystemError` where another daemon answers at the path, or it can't be bound.
    init(inherited: Int32?, path: FilePath) throws {
        if let inherited {
            descriptor = inherited
            bound = nil
        } else {
            let listener = try UnixListener.bind(path: path.string)
            descriptor = listener.descriptor
            bound = listener
        }
    }

    /// Removes the path where it was made here; a socket of the service manager stays.
    func removePath() { bound?.removePath() }
}
