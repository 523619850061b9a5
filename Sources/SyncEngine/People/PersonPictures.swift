internal import PluginKit
internal import SyncModel

/// Where the remote keeps the pictures of people, as one of them changes it.
struct PersonPictures: RemotePictures {
    /// In whose name pictures are stored and removed: the `uid`.
    let person: String
    /// What pictures are fetched from.
    let shared: any RemotePictures
    let context: EngineContext

    func store(_ jpeg: [UInt8], of person: String) async throws -> String {
        try await acting { try await $0.store(jpeg, of: person) }
    }

    func remove(of person: String) async throws {
        try await acting { try await $0.remove(of: person) }
    }

    func place(of address: String) -> String? { shared.place(of: address) }

    func fetch(_ place: String, _ take: ([UInt8]) throws -> Void) async throws -> Bool {
        try await shared.fetch(place, take)
    }

    private func acting<Result>(_ body: (any RemotePictures) async throws -> Result) async throws -> Result {
        try await context.acting(as: person) { remote in
            guard let pictures = remote.pictures else {
                throw RemoteError(.refused, "\(remote.address) keeps no pictures now")
            }
            return try await body(pictures)
        }
    }
}
