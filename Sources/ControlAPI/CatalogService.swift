internal import SyncModel

/// What the control socket can ask of the catalogs that the library is filled from.
///
/// Whatever can't be done is a ``ControlError``. `user` is who asks, as the kernel has seen it connect: the set `latest`
/// is the one that this user has made last.
package protocol CatalogService: Sendable {
    /// All catalogs and how they are, from memory.
    func catalogs() async -> [CatalogReply]

    /// Searches a catalog, and holds what is found as a set. Throws `unknownCatalog` (404), and what the catalog says.
    func search(_ catalog: String, _ order: CatalogSearchOrder, user: UInt32?) async throws -> CatalogSetReply

    /// Shows a list of a catalog, likewise.
    func list(
        _ catalog: String, _ list: String, _ order: CatalogListOrder, user: UInt32?
    ) async throws -> CatalogSetReply

    /// The first pages of all lists of all catalogs that can be asked.
    func home(user: UInt32?) async -> CatalogHomeReply

    /// What a set holds. Sends nothing. Throws `unknownSet` (404).
    func set(_ id: String, _ view: CatalogSetView, user: UInt32?) async throws -> CatalogSetReply

    /// Adds the next page to a set, and shows what is new.
    ///
    /// - Parameter again: begins a second pass over all pages where the set is at its end, for what has moved between
    ///   pages meanwhile.
    func more(of set: String, again: Bool, user: UInt32?) async throws -> CatalogSetReply

    /// What to append to the journal for these rows of a set. Throws `badPick` (400) for a number that is not there.
    func picks(from set: String, _ order: CatalogPickOrder, user: UInt32?) async throws -> CatalogPicksReply

    /// Forgets a set.
    func drop(set: String, user: UInt32?) async throws

    /// All that is known of one item. Throws `notFound` (404).
    func item(_ key: String, of catalog: String) async throws -> CatalogItemReply

    /// A search that follows what somebody types, see ``CatalogLiveReply``; ends with its reader.
    func live(_ catalog: String, user: UInt32?) async throws -> AsyncStream<CatalogLiveReply>

    /// Tells a live search what was typed. Throws `unknownSearch` (404).
    func tell(live id: String, _ order: CatalogLiveOrder) async throws
}

/// No catalogs at all.
package struct NoCatalogs: CatalogService {
    package init() {}

    package func catalogs() -> [CatalogReply] { [] }
    package func search(_ catalog: String, _ order: CatalogSearchOrder, user: UInt32?) throws -> CatalogSetReply {
        throw ControlError.unknownCatalog(catalog, among: [])
    }
    package func list(
        _ catalog: String, _ list: String, _ order: CatalogListOrder, user: UInt32?
    ) throws -> CatalogSetReply { throw ControlError.unknownCatalog(catalog, among: []) }
    package func home(user: UInt32?) -> CatalogHomeReply { CatalogHomeReply(sections: []) }
    package func set(_ id: String, _ view: CatalogSetView, user: UInt32?) throws -> CatalogSetReply {
        throw ControlError.unknownSet(id)
    }
    package func more(of set: String, again: Bool, user: UInt32?) throws -> CatalogSetReply {
        throw ControlError.unknownSet(set)
    }
    package func picks(from set: String, _ order: CatalogPickOrder, user: UInt32?) throws -> CatalogPicksReply {
        throw ControlError.unknownSet(set)
    }
    package func drop(set: String, user: UInt32?) throws { throw ControlError.unknownSet(set) }
    package func item(_ key: String, of catalog: String) throws -> CatalogItemReply {
        throw ControlError.unknownCatalog(catalog, among: [])
    }
    package func live(_ catalog: String, user: UInt32?) throws -> AsyncStream<CatalogLiveReply> {
        throw ControlError.unknownCatalog(catalog, among: [])
    }
    package func tell(live id: String, _ order: CatalogLiveOrder) throws { throw ControlError.unknownSearch(id) }
}

extension ControlError {
    package static func unknownCatalog(_ name: String, among names: [String]) -> ControlError {
        let known = names.isEmpty ? "there is none" : "there are " + names.joined(separator: ", ")
        return ControlError(404, "unknownCatalog", "no catalog is called '\(name)': \(known)")
    }

    package static func unknownSet(_ id: String) -> ControlError {
        let which = id == "latest" ? "there is no search to go on with" : "no search is held as '\(id)'"
        return ControlError(404, "unknownSet", "\(which): search again, sets are held for 30 minutes")
    }

    package static func unknownSearch(_ id: String) -> ControlError {
        ControlError(404, "unknownSearch", "no live search is called '\(id)': it ends with its stream")
    }
}
