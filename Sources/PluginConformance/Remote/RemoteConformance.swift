internal import PluginKit
internal import SyncModel

/// Holds any remote to the promises of ``Remote``.
///
/// ## Writing a remote
/// A new remote's test is one function; each promise gets an empty remote of its own:
///
/// ```swift
/// @Test(.timeLimit(.minutes(1)), arguments: RemoteConformance.promises)
/// func `keeps the promises of a remote`(_ promise: RemotePromise) async {
///     #expect(await promise.broken(by: RemoteSample(MyRemote())) == [])
/// }
/// ```
///
/// Knows no test framework, so that a plugin outside this package can use any.
public enum RemoteConformance {
    public static let promises = reading + writing + batches + pages + listening + peers + endings
}
