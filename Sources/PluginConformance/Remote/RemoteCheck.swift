internal import JSONText
internal import PluginKit
internal import SyncModel

/// The check of one promise: collects what is broken, and has the words that promises are written in.
struct RemoteCheck {
    let sample: RemoteSample
    private(set) var broken: [String] = []

    init(_ sample: RemoteSample) { self.sample = sample }

    var remote: any Remote { sample.remote }
    var records: Keyspace { .records(sample.collection) }
    var tombstones: Keyspace { .tombstones(sample.collection) }

    mutating func expect(_ holds: Bool, _ promise: String) {
        if !holds { broken.append(promise) }
    }

    mutating func expect<Value: Equatable>(_ found: Value, is wanted: Value, _ promise: String) {
        expect(found == wanted, "\(promise): \(wanted), not \(found)")
    }

    /// Expects a ``RemoteError`` with this code.
    mutating func expect(_ code: RemoteError.Code, _ promise: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            expect(false, "\(promise) throws \(code), but nothing was thrown")
        } catch let error as RemoteError {
            expect(error.code, is: code, promise)
            expect(!error.message.contains { $0.isNewline }, "\(promise) has a message of one line")
        } catch {
            expect(false, "\(promise) throws a RemoteError, not \(error)")
        }
    }

    /// The key of the record with this number; higher numbers have later keys.
    static func key(_ number: Int) -> String {
        let text = String(number)
        return "6F9619FF-8B86-4011-B42D-" + String(repeating: "0", count: 12 - text.count) + text
    }

    static func stamp(_ counter: UInt16) -> Stamp {
        Stamp(physical: 0x0191_2345_6789, counter: counter, node: NodeID(0xABCD))
    }

    /// A record with this title.
    static func film(_ title: String, _ key: String = key(1), counter: UInt16 = 2) -> RemoteWrite {
        let content = Content(fields: ["title": .string(title), "hasWatched": true])
        return RemoteWrite(
            key: key, body: .record(content, identityFields: ["identifier": .string(key)]), stamp: stamp(counter))
    }

    /// What a remote has after ``film(_:_:counter:)`` was written.
    static func value(_ title: String, _ key: String = key(1), counter: UInt16 = 2) -> RemoteValue {
        .record(
            fields: ["title": .string(title), "hasWatched": true, "identifier": .string(key)],
            stamps: RemoteStamps(stamp(counter)))
    }

    /// Writes where nothing is; the ETag of what stands there then.
    @discardableResult
    mutating func create(_ write: RemoteWrite, in keyspace: Keyspace? = nil) async throws -> String {
        let keyspace = keyspace ?? records
        let outcome = try await remote.write(write, in: keyspace, if: .absent)
        if case .conflict(let entry) = outcome { expect(false, "\(write.key) is absent, not \(entry.value)") }
        return try await etag(of: write.key, in: keyspace)
    }

    /// The ETag that a read shows.
    mutating func etag(of key: String, in keyspace: Keyspace? = nil) async throws -> String {
        let etag = try await remote.read(key, in: keyspace ?? records).etag
        expect(etag != nil, "a read shows the ETag of \(key)")
        return etag ?? ""
    }

    mutating func expectWritten(_ outcome: WriteOutcome, _ promise: String) {
        if case .conflict(let entry) = outcome { expect(false, "\(promise), but there was \(entry.value)") }
    }

    mutating func expectConflict(_ outcome: WriteOutcome, with value: RemoteValue, _ promise: String) async throws {
        guard case .conflict(let entry) = outcome else { return expect(false, promise) }
        expect(entry.value, is: value, "a conflict carries what stands there")
        expect(entry.etag, is: try await etag(of: entry.key), "a conflict carries the ETag of what stands there")
    }
}
