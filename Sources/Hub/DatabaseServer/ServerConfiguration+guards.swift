internal import HTTPListening

/// What guards the server, checked as it is handed over. Whoever calls reads the files, and says their names; no message
/// repeats their content.
extension ServerConfiguration {
    /// Makes whoever sends this secret as a token an administrator.
    ///
    /// - Parameter content: one line of at least 16 characters without spaces, else it throws `invalidSecret`.
    package mutating func setSecret(_ content: [UInt8]) throws(ServerError) {
        guard let text = String(validating: content, as: UTF8.self), !text.isEmpty,
            !text.contains(where: { $0.isNewline || $0.isWhitespace })
        else { throw ServerError(.invalidSecret, "the secret must be one line of text without spaces") }
        guard text.count >= ServerConfiguration.minSecret else {
            throw ServerError(
                .invalidSecret,
                "the secret has fewer than \(ServerConfiguration.minSecret) characters, and could be guessed: "
                    + "make one with head -c 32 /dev/urandom | base64")
        }
        secret = AdminSecret(text)
    }

    private static let minSecret = 16

    /// Makes the process that runs the server an administrator, by a secret that nobody else knows.
    package mutating func setOwnSecret(_ text: String) { ownSecret = AdminSecret(text) }

    /// Accepts ID tokens that are signed with these keys, and no others.
    ///
    /// - Parameter content: public keys or certificates in PEM, a JSON Web Key Set, an object of certificates by key id
    ///   as Google publishes it, or a single line of at least 32 bytes that signs with HS256; else it throws
    ///   `invalidKeys`.
    package mutating func setTokenKeys(_ content: [UInt8]) throws(ServerError) { tokenKeys = try TokenKeys(content) }

    /// Whether the keys of ID tokens sign as well as verify, so that nobody else may read them.
    package var tokenKeysAreSecret: Bool { tokenKeys?.isSecret == true }

    /// Speaks TLS from now on.
    ///
    /// - Parameters:
    ///   - certificates: the server's certificate first, then those that lead to its authority; PEM.
    ///   - key: the private key of the first one, PEM, without passphrase.
    /// - Throws: `invalidTLS`.
    package mutating func setTLS(certificates: [UInt8], key: [UInt8]) throws(ServerError) {
        do throws(ServerTLSError) {
            tls = try ServerTLS(certificates: certificates, key: key)
        } catch {
            throw ServerError(.invalidTLS, error.description, underlying: error)
        }
    }

    /// Reads the file of rules where there is one, and throws what the server would throw when it starts with it.
    package func checkRules() throws {
        if let rules { _ = try RulesStore.read(at: rules) }
    }
}
