internal import Accounts

/// How a server of accounts behaves.
package struct AccountConfiguration: Sendable {
    /// What its ID tokens are for where nobody says a project.
    static let anyProject = "moviesync"

    /// What its ID tokens are for; nil for `moviesync`, or at an emulator for whatever project an administrator has named
    /// last.
    package var project: String?
    /// Whether nobody learns whether an address has an account.
    package var hidesEmails = true
    /// The program that is told of codes; nil writes them into the log.
    package var codesTo: String?
    /// Tests take less effort.
    var hashing = PasswordHash.Method.standard

    package init(project: String?) { self.project = project }
}
