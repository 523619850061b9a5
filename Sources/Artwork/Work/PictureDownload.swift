internal import AsyncHTTPClient
internal import HTTPCalling
internal import NIOCore
internal import NIOHTTP1
internal import OperatingSystem

/// Fetches pictures into files, piece by piece.
struct PictureDownload: Sendable {
    private static let patience = Duration.seconds(20)

    let version: String
    let resolve: @Sendable (_ host: String) async throws(PictureError) -> String

    /// Fetches a picture.
    func fetch(_ plan: ArtworkPlan, into file: ReplacingFile) async throws {
        let client = try await client(for: plan)
        do {
            try await fetch(plan.place ?? plan.source, from: plan.host, over: client, into: file)
            try await client.shutdown()
        } catch {
            // Closing has nothing to report that anyone could act on.
            try? await client.shutdown()
            if Task.isCancelled { throw CancellationError() }
            throw CallFault.words(for: error).map { PictureError("\(plan.host) can't be asked: \($0)") } ?? error
        }
    }

    /// A client of its own for each picture, which connects to the address that was looked at, and to no other: between
    /// two questions a name may change what it means.
    private func client(for plan: ArtworkPlan) async throws -> HTTPClient {
        var configuration = HTTPClient.Configuration.calling
        configuration.timeout.connect = .seconds(5)
        configuration.timeout.read = TimeAmount(PictureDownload.patience)
        if plan.place == nil { configuration.dnsOverride = [plan.host: try await resolve(plan.host)] }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private func fetch(
        _ url: String, from host: String, over client: HTTPClient, into file: ReplacingFile
    ) async throws {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "image/jpeg, image/png")
        request.headers.add(name: "User-Agent", value: "moviesync/\(version)")
        let response = try await client.execute(request, timeout: TimeAmount(PictureDownload.patience))
        let status = Int(response.status.code)
        guard status == 200 else {
            throw PictureError("\(host) answers \(status)", isMissing: [403, 404, 410].contains(status))
        }
        var intake = PictureIntake(file)
        var pace = BodyPace(PictureDownload.patience)
        for try await piece in response.body {
            try pace.took(piece.readableBytes)
            try intake.take(Array(piece.readableBytesView))
        }
        try intake.end(from: host)
    }
}
