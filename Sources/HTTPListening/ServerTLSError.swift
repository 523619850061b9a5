/// Why TLS can't be spoken with these files: one line.
package struct ServerTLSError: Error, CustomStringConvertible {
    package let description: String
}
