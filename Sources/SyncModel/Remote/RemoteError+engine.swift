extension RemoteError {
    /// Whether the request certainly changed nothing, so that a first attempt may still be a first one.
    package var nothingWasWritten: Bool {
        [.unreachable, .unavailable, .unauthorized, .stopped, .sessionEnded, .personUnreachable].contains(code)
    }

    /// Whether the server asks for fewer requests, or does not keep up with them.
    package var isCongestion: Bool { [.unavailable, .outcomeUnknown, .unreachable].contains(code) }
}
