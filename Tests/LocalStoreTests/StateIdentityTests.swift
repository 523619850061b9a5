import OperatingSystem
import Testing

@testable import LocalStore

struct StateIdentityTests {
    private static func identity(device: UInt64, inode: UInt64, birth: UInt64?, machine: String = "m") throws -> String
    {
        var file = try FileIdentity.of(path: "/")
        (file.device, file.inode, file.birth) = (device, inode, birth)
        return StateIdentity(machine: machine, file: file).text
    }

    @Test func `another device number after a boot is the same state`() throws {
        #expect(try Self.identity(device: 1, inode: 7, birth: 9) == Self.identity(device: 2, inode: 7, birth: 9))
    }

    @Test func `another machine, file or birth is another state`() throws {
        let here = try Self.identity(device: 1, inode: 7, birth: 9)
        #expect(try Self.identity(device: 1, inode: 7, birth: 9, machine: "other") != here)
        #expect(try Self.identity(device: 1, inode: 8, birth: 9) != here)
        #expect(try Self.identity(device: 1, inode: 7, birth: 10) != here)
    }

    @Test func `without births the device counts`() throws {
        let here = try Self.identity(device: 1, inode: 7, birth: nil)
        #expect(try Self.identity(device: 2, inode: 7, birth: nil) != here)
        #expect(try Self.identity(device: 1, inode: 7, birth: nil) == here)
    }
}
