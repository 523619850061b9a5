/// Where people sign in: beside the database on a hub or an emulator, else at Google's own places.
struct AccountPlaces: Hashable, Sendable {
    private static let google = "https://identitytoolkit.googleapis.com"
    private static let googleTokens = "https://securetoken.googleapis.com"
    /// What stands for a key where any will do.
    private static let anyKey = "moviesync"

    /// Ends with a slash; a method's name follows.
    let methods: String
    let tokens: String
    /// What tells Google which project; nil where it is missing.
    let key: String?

    /// - Parameters:
    ///   - root: of a server of accounts that stands elsewhere than beside the database.
    init(_ location: DatabaseLocation, root: String?, key: String?) {
        if root == nil, location.isGoogles {
            methods = "\(AccountPlaces.google)/v1/"
            tokens = "\(AccountPlaces.googleTokens)/v1/token"
            self.key = key
        } else {
            let root = root ?? location.origin
            methods = "\(root)/identitytoolkit.googleapis.com/v1/"
            tokens = "\(root)/securetoken.googleapis.com/v1/token"
            self.key = key ?? AccountPlaces.anyKey
        }
    }
}
