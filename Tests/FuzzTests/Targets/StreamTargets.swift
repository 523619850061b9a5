import FirebaseWire
import JSONText
import Movies
import PluginKit
import SyncModel
import TestSupport

@testable import Firebase

extension FuzzTarget {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
    private static let stamp = "01a20019c4ef-0000-142f2d0a46dba275"

    /// The bytes of an event stream, down to what they mean for records and for tombstones.
    static let eventStream = FuzzTarget(
        "eventStream",
        seeds: [
            "event: put\ndata: {\"path\":\"/\",\"data\":{\"\(id)\":{\"title\":\"A\",\"_v\":\"\(stamp)\",\"_t\":1}}}\n\n"
                + "event: patch\ndata: {\"path\":\"/\",\"data\":{\"\(id)/title\":\"B\",\"x\":null}}\n\n"
                + "event: put\r\ndata: {\"path\":\"/\(id)\",\"data\":null}\r\n\r\n",
            "event: put\ndata: {\"data\":[null,{\"a\":1}],\"path\":\"/\"}\n\nevent: keep-alive\ndata: null\n\n",
            "event: put\ndata: {\"path\":\"/\",\"data\":null}\n\nevent: cancel\ndata: \"no right\"\n\n",
            ":comment\r\revent: auth_revoked\ndata: expired\n\n",
        ],
        words: ["event: ", "data: ", "put", "patch", "cancel", "\n\n", "path", "data", "_v", "_t", "_h", stamp, id]
    ) { input in
        var isTaken = false
        for (keyspace, depth) in [
            (Keyspace.records("movies"), 1), (.tombstones("movies"), 1), (.records("reviews"), 2),
        ] {
            let whole = events(input, keyspace, depth, sizes: [max(1, input.count)])
            let pieces = events(input, keyspace, depth, sizes: cuts(input))
            try promise(whole.events == pieces.events, "other pieces give other events")
            try promise(whole.ending == pieces.ending, "other pieces give another ending")
            isTaken = isTaken || (whole.ending == nil && !whole.events.isEmpty)
            for case .snapshotEntry(let entry) in whole.events {
                if case .unreadable(let defect) = entry.value { try promiseOneLine(defect) }
            }
        }
        return isTaken
    }

    private static func events(
        _ input: [UInt8], _ keyspace: Keyspace, _ depth: Int, sizes: [Int]
    ) -> (events: [RemoteEvent], ending: StreamInterpreter.Ending?) {
        var interpreter = StreamInterpreter(keyspace: keyspace, depth: depth)
        var events: [RemoteEvent] = []
        for piece in Pieces(input, sizes: sizes) {
            events += interpreter.events(in: piece)
            if interpreter.ending != nil { break }
        }
        return (events, interpreter.ending)
    }

    /// The data of a put or patch.
    static let putSplitter = FuzzTarget(
        "putSplitter",
        seeds: [
            #"{"path":"/","data":{"a":{"b":[1,"}"]},"c":"\"","d\u00e4":null}}"#,
            #"{"path":"/a/b","data":[1,2,{"x":3}]}"#,
            #"{"data":{"a":1},"x":[[]],"path":"\/"}"#, #" { "path" : "/" , "data" : [ 1 , null , "2" ] } "#,
        ],
        words: ["path", "data", "\"/\""]
    ) { input in
        let whole = parts(input, sizes: [max(1, input.count)])
        try promise(parts(input, sizes: cuts(input)) == whole, "other pieces give other parts")
        if let failure = whole.failure { throw Finding(failure) }
        guard whole.isComplete, let members = try? JSONReader.members(input), members["data"] != nil else {
            return whole.isComplete
        }
        let children = whole.parts.compactMap { part -> String? in
            if case .child(let key, _) = part { key } else { nil }
        }
        if let data = members["data"]?.members, members["path"]?.text == "/", whole.opened == 1 {
            try promise(Set(children) == Set(data.keys), "other children than the data has")
        }
        return true
    }

    private struct Split: Equatable {
        var parts: [PutSplitter.Part] = []
        var isComplete = false
        /// What is wrong with an error.
        var failure: String?

        var opened: Int {
            parts.count { if case .opened = $0 { true } else { false } }
        }
    }

    private static func parts(_ input: [UInt8], sizes: [Int]) -> Split {
        var splitter = PutSplitter()
        var split = Split()
        do {
            for piece in Pieces(input, sizes: sizes) { try splitter.read(piece) { split.parts.append($0) } }
            try splitter.end { split.parts.append($0) }
            split.isComplete = true
        } catch {
            do { try promiseOneLine(error) } catch { split.failure = "\(error)" }
        }
        return split
    }

    /// What stands under a key of the remote.
    static let recordBody = FuzzTarget(
        "recordBody",
        seeds: [
            #"{"identifier":"\#(id)","title":"Alien","hasWatched":true,"year":1979,"_v":"\#(stamp)","_t":1700000000000}"#,
            #"{"title":"A","hasWatched":"yes","x":{"y":[1]}}"#, #"{"title":"A","hasWatched":0}"#,
            #"{"_v":"\#(stamp)","_h":"\#(String(repeating: "0a", count: 32))","_t":5}"#, "null",
        ],
        words: ["_v", "_t", "_h", stamp, "title", "hasWatched", "identifier", ".sv", ".priority", ".value"]
    ) { input in
        let entry = EntryCoder.entry(id, .text(input), in: .records("movies"))
        let tomb = EntryCoder.entry(id, .text(input), in: .tombstones("movies"))
        if case .tombstone(let stamp, let ended) = tomb.value {
            let write = RemoteWrite(key: id, body: .tombstone(ended: ended), stamp: stamp)
            try promise(again(write, .tombstones("movies")) == tomb.value, "a tombstone reads otherwise when written")
        }
        switch entry.value {
        case .unreadable(let defect):
            try promiseOneLine(defect)
            return false
        case .record(let fields, let stamps?):
            var named = fields
            named["identifier"] = nil
            let content = Content(fields: named)
            let identity = Movies().identityFields(RecordID(id) ?? RecordID(high: 0, low: 0))
            let body = RemoteWrite.Body.record(content, identityFields: identity, fieldStamps: stamps.fields)
            let write = RemoteWrite(key: id, body: body, stamp: stamps.version)
            guard case .record(var read, let second) = again(write, .records("movies")) else {
                throw Finding("a record is none when it is written")
            }
            read["identifier"] = nil
            try promise(second == stamps && Content(fields: read) == content, "a record reads otherwise when written")
        case .record(let fields, nil):
            let normalized: [String: JSONValue]
            do {
                normalized = try Movies().normalized(fields)
            } catch {
                try promiseOneLine(error)
                return false
            }
            try promise(try Movies().normalized(normalized) == normalized, "what is normal changes again")
        default: break
        }
        return true
    }

    private static func again(_ write: RemoteWrite, _ keyspace: Keyspace) -> RemoteValue {
        var text: [UInt8] = []
        EntrySpelling.append(write, to: &text)
        return EntryCoder.entry(write.key, .text(text), in: keyspace).value
    }
}
