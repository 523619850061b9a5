package import Subprocess

/// How a program ended.
package enum Ending: Hashable, Sendable {
    case exited(Int)
    case signaled(Int)

    package init(_ status: TerminationStatus) {
        switch status {
        case .exited(let code): self = .exited(Int(code))
        case .signaled(let signal): self = .signaled(Int(signal))
        }
    }
}
