/// Where a remote keeps the pictures of people, beside its records.
///
/// Methods may be called concurrently, and cancelling the task ends a request at once.
public protocol RemotePictures: Sendable {
    /// Stores a JPEG as the picture of a person, in place of the one that was there.
    ///
    /// - Parameter person: the `uid`.
    /// - Returns: the address at which whoever has it sees the picture: another one each time.
    /// - Throws: a ``RemoteError``; where its code is not `outcomeUnknown`, what was there is still there.
    func store(_ jpeg: [UInt8], of person: String) async throws -> String

    /// Removes the picture that ``store(_:of:)`` has stored of a person; again: no effect.
    ///
    /// - Throws: a ``RemoteError``.
    func remove(of person: String) async throws

    /// The place in this storage that an address of a picture names; nil where it names none.
    ///
    /// Nodes reach one storage by several names, so the host does not count: nothing is ever asked of a host that an
    /// address names, only of the remote's own.
    func place(of address: String) -> String?

    /// Fetches what is at a place of ``place(of:)``, and hands it to `take` piece by piece.
    ///
    /// - Returns: whether there is something for whoever has the address.
    /// - Throws: a ``RemoteError``, and what `take` throws.
    func fetch(_ place: String, _ take: ([UInt8]) throws -> Void) async throws -> Bool
}
