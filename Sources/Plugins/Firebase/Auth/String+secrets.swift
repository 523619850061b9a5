internal import SyncModel

extension String {
    /// The words of a server without what must not be shown, in plain or percent-encoded; to be asked for before anything
    /// is cut off, for a part of a secret is not found.
    func without(_ secrets: [String]) -> String {
        secrets.flatMap { [$0, PercentEncoding.encoded($0)] }.filter { !$0.isEmpty }
            .reduce(self) { $0.replacing($1, with: "…") }
    }
}
