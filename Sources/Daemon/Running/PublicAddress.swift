internal import Artwork
internal import Dispatch
internal import HookRules
internal import OperatingSystem

enum PublicAddress {
    /// An address of a host that is none of this machine or of a private network, as numbers; of the first kind that it has.
    ///
    /// Throws where it has none, or one that is not public among them: a name that means both is a trap.
    static func of(_ host: String) async throws(PictureError) -> String {
        let answer: Result<[[UInt8]], SystemError> = await withCheckedContinuation { continuation in
            // Asking waits for as long as the system likes to.
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(SystemError) in try HostAddresses.of(host) })
            }
        }
        let addresses: [NetworkAddress]
        do { addresses = try answer.get().compactMap(NetworkAddress.init(bytes:)) } catch {
            throw PictureError("\(host) is not known: \(error)")
        }
        guard let first = addresses.first else { throw PictureError("\(host) has no address") }
        if let closed = addresses.first(where: \.isPrivate) {
            throw PictureError("\(host) is \(closed.text), which is no public address")
        }
        return first.text
    }
}
