internal import FoundationEssentials
package import NIOSSL

/// A certificate for 127.0.0.1 that vouches for itself, and its key, in files of a folder.
package struct TestCertificate: Sendable {
    package let certificate: String
    package let key: String

    package init(in folder: String, name: String = "server") throws {
        certificate = "\(folder)/\(name).pem"
        key = "\(folder)/\(name).key"
        try OpenSSL.run(
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=server -addext subjectAltName=IP:127.0.0.1"
                + " -keyout \(key) -out \(certificate)", in: folder)
    }

    /// What a server needs that shows it.
    package func context() throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))))
    }

    package func content(of file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file))) }
}
