import Glibc
import OperatingSystem
import Testing

@Suite struct SystemErrorTests {
    @Test func `an error says what, where and why`() {
        let error = SystemError(code: EACCES, operation: "open", path: "/x")
        #expect(error.description == "cannot open /x: Permission denied")
        #expect(error.isPermission && !error.isMissing)
        #expect(
            SystemError(code: ENOENT, operation: "watch", detail: "no folder").description == "cannot watch: no folder")
    }
}
