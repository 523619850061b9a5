internal import PluginKit
internal import SyncCore

extension Remote {
    /// What the remote answers.
    func perform(_ call: RemoteCall) async throws -> CollectionMachine.Answer {
        switch call {
        case .read(let key, let keyspace): return .entry(try await read(key, in: keyspace))
        case .readRange(let first, let last, let limit, let keyspace):
            return .page(try await readRange(from: first, through: last, limit: limit, in: keyspace))
        case .keys(let keyspace): return .keys(try await keys(in: keyspace))
        case .write(let write, let keyspace, let condition):
            return .outcome(try await self.write(write, in: keyspace, if: condition))
        case .remove(let key, let keyspace, let etag):
            return .outcome(try await remove(key, in: keyspace, ifMatches: etag))
        case .writeBatch(let elements):
            try await writeBatch(elements)
            return .done
        case .peers: return .peers(try await peers())
        case .announce(let peer):
            try await announce(peer)
            return .done
        case .horizon(let collection): return .horizon(try await horizon(of: collection))
        case .raiseHorizon(let collection, let stamp, let etag):
            return .raised(try await raiseHorizon(of: collection, to: stamp, ifMatches: etag))
        }
    }
}
