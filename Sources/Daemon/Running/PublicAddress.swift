internal import Artwork
internal import HookRules
internal import OperatingSystem

enum PublicAddress {
    /// An address of a host that is none of this machine or of a private network, as numbers; of the first kind that it has.
    ///
    /// Throws where it has none, or one that is not public among them.
    static func of(_ host: String) async throws(PictureError) -> String {
        let found: [[UInt8]]
        do {
            found = try await HostAddresses.found { try HostAddresses.of(host) }
        } catch {
            throw PictureError("\(host) is not known: \(error)")
        }
        do throws(NetworkAddress.Refusal) {
            return try NetworkAddress.admitted(found, allowPrivate: false).first.text
        } catch {
            switch error {
            case .hasNone: throw PictureError("\(host) has no address")
            case .isPrivate(let closed): throw PictureError("\(host) is \(closed.text), which is no public address")
            }
        }
    }
}
