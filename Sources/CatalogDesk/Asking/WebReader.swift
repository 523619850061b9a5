internal import PluginKit

/// A catalog on the web, asked over HTTP with the operator's key.
struct WebReader: Catalog {
    let web: any WebCatalog
    let settings: CatalogSettings
    let http: CatalogHTTP
    let readSecret: @Sendable (String) throws -> [UInt8]

    var description: CatalogDescription { web.description }

    var obstacle: CatalogError? {
        do throws(CatalogError) {
            guard try key() == nil, description.defaultKey == nil else { return nil }
            return CatalogError(
                .noKey,
                "\(description.name) needs a key: get one at \(description.keyPage), and name its file in"
                    + " catalogs.\(description.name).credentialFile")
        } catch {
            return error
        }
    }

    var access: Int {
        var hasher = Hasher()
        hasher.combine(settings)
        // Without a key that can be read there is an obstacle.
        hasher.combine(try? key())
        return hasher.finalize()
    }

    func page(_ query: CatalogQuery, known: String?) async throws(CatalogError) -> CatalogReading<CatalogPage> {
        let request = try web.request(for: query, key: try key())
        return try await reading(request, known) { answer throws(CatalogError) in try web.page(of: query, in: answer) }
    }

    func details(
        of key: String, language: String, known: String?
    ) async throws(CatalogError) -> CatalogReading<CatalogRow> {
        let request = try web.request(forDetails: key, language: language, key: try self.key())
        return try await reading(request, known) { answer throws(CatalogError) in
            try web.details(of: key, language: language, in: answer)
        }
    }

    /// The key, read anew each time: a new one counts at once.
    private func key() throws(CatalogError) -> String? {
        guard let file = settings.credentialFile else { return nil }
        do {
            let text = String(decoding: try readSecret(file), as: UTF8.self).filter { !$0.isWhitespace }
            return text.isEmpty ? nil : text
        } catch {
            throw CatalogError(.noKey, "the key of \(description.name) can't be read: \(error)")
        }
    }

    private func reading<Value>(
        _ request: CatalogRequest, _ known: String?, _ value: (CatalogAnswer) throws(CatalogError) -> Value
    ) async throws(CatalogError) -> CatalogReading<Value> {
        let (answer, validator, maxAge) = try await http.answer(to: request, at: settings.url, known: known)
        if answer.status == 304 { return CatalogReading(nil, validator: validator ?? known, maxAge: maxAge) }
        do throws(CatalogError) {
            return CatalogReading(try value(answer), validator: validator, maxAge: maxAge)
        } catch {
            // A source may repeat what it was sent.
            throw CatalogError(
                error.code, request.secret.map { error.message.replacing($0, with: "…") } ?? error.message,
                retryAfter: error.retryAfter)
        }
    }
}
