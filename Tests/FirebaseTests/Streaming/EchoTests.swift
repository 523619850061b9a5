import DatabaseServer
import Firebase
import JSONText
import PluginKit
import SyncModel
import TestSupport
import Testing

/// What a remote has written, as its own stream shows it.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct EchoTests {
    private static let other = "00000000-0000-4000-8000-00000000000B"

    private func echoed(_ event: RemoteEvent) -> [RemoteWrite?] {
        if case .echoed(let elements, let time) = event, time > 1_700_000_000_000 { elements.map(\.write) } else { [] }
    }

    @Test func `a batch comes back as what was written`() async throws {
        try await withHub { url in
            try await withRemote(url) { remote in
                try await withListener(remote) { listening in
                    _ = try await listening.next(2)
                    var named = film("ü🎬 \"\n", key: Self.other)
                    named.replaces = stamp
                    let writes = [film("Alien"), named]
                    try await remote.writeBatch(
                        writes.map { BatchElement(keyspace: movies, key: $0.key, write: $0) })
                    #expect(echoed(try await listening.next()) == writes)
                }
            }
        }
    }

    @Test func `so does a single write, and so does a tombstone`() async throws {
        try await withHub { url in
            try await withRemote(url) { remote in
                try await withListener(remote) { listening in
                    _ = try await listening.next(2)
                    _ = try await remote.write(film("Alien"), in: movies, if: .absent)
                    #expect(echoed(try await listening.next()) == [film("Alien")])
                }
                try await withListener(remote, to: tombstones) { listening in
                    _ = try await listening.next(2)
                    let hash = ContentHash(of: Array("{}".utf8))
                    let write = RemoteWrite(key: key, body: .tombstone(ended: hash), stamp: stamp)
                    _ = try await remote.write(write, in: tombstones, if: .absent)
                    #expect(echoed(try await listening.next()) == [write])
                }
            }
        }
    }

    @Test func `what somebody else writes is read, though it be the same`() async throws {
        try await withHub { url in
            try await withRemote(url) { remote in
                try await withRemote(url) { other in
                    try await withListener(remote) { listening in
                        _ = try await listening.next(2)
                        _ = try await other.write(film("Alien"), in: movies, if: .absent)
                        let shown = RemoteEntry(
                            key: key,
                            value: .record(
                                fields: ["title": "Alien", "hasWatched": true, "identifier": .string(key)],
                                stamps: RemoteStamps(stamp)))
                        var heard: RemoteEntry?
                        if case .changed(let entry) = try await listening.next() { heard = entry }
                        heard?.serverTime = nil
                        #expect(heard == shown)
                    }
                }
            }
        }
    }
}
