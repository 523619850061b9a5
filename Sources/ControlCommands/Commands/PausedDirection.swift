internal import ArgumentParser

/// Which way to stop or go on, as typed.
enum PausedDirection: String, ExpressibleByArgument, CaseIterable {
    case push, pull
}
