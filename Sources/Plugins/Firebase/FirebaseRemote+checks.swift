internal import NIOHTTP1
internal import PluginKit
package import SyncModel

/// How the database is set up: what only somebody who looks at it can tell.
extension FirebaseRemote {
    package func checks(_ keyspaces: [Keyspace], _ guarded: WriteGuard) async -> [RemoteCheck] {
        var checks: [RemoteCheck] = []
        for keyspace in keyspaces { checks.append(await index(of: keyspace)) }
        return checks + [await rules(guarded)]
    }

    /// Whether the database can find what is new since some time without reading everything.
    private func index(of keyspace: Keyspace) async -> RemoteCheck {
        do {
            let path = try client.location.path(of: keyspace)
            var request = DatabaseRequest(path: path)
            request.query = [.init("orderBy", #""_t""#), .init("limitToFirst", "1")]
            _ = try await body(of: try await answer(to: request))
            return RemoteCheck("index", .ok, "\(path) can be read by time")
        } catch let error as RemoteError where error.message.contains("Index not defined") {
            return RemoteCheck(
                "index", .warning, "\(keyspace) has no \".indexOn\": \"_t\"",
                fix: "deploy database.rules.json, or add \".indexOn\": [\"_t\"] there; pull: incremental needs it")
        } catch let error as RemoteError where [.denied, .unauthorized].contains(error.code) {
            return RemoteCheck("index", .unknown, "not checked: this credential may not read \(keyspace) by time")
        } catch {
            return RemoteCheck("index", .unknown, "not checked: \(error)")
        }
    }

    private func rules(_ guarded: WriteGuard) async -> RemoteCheck {
        do {
            let request = DatabaseRequest(path: "/.settings/rules")
            let text = String(decoding: try await body(of: try await answer(to: request)), as: UTF8.self)
            let bindsStamps = text.contains("child('_b')") && text.contains("child('_v')")
            if bindsStamps { return RemoteCheck("rules", .ok, "the rules refuse writes that come late") }
            guard guarded == .rules else {
                return RemoteCheck(
                    "rules", .ok, "rules that bind stamps are not deployed, and not needed with writeGuard: etag")
            }
            return RemoteCheck(
                "rules", .error, "writeGuard is rules, but those that are deployed do not bind stamps",
                fix: "deploy database.rules.json, or set remote.writeGuard to etag")
        } catch let error as RemoteError where [.denied, .unauthorized].contains(error.code) {
            return RemoteCheck("rules", .unknown, "not checked: this credential may not read the rules")
        } catch {
            return RemoteCheck("rules", .unknown, "not checked: \(error)")
        }
    }
}
