/// What the configuration says about one catalog.
package struct CatalogSettings: Hashable, Sendable {
    package var name: String
    /// The absolute path of the file that holds the key; nil where there is none.
    package var credentialFile: String?
    /// Where it is asked instead of the source's own address; without a slash at its end.
    package var url: String?
    /// The wanted language as BCP 47 has it; nil for the process's own.
    package var language: String?
    /// The country whose dates count; nil for the language's.
    package var region: String?

    package init(
        name: String, credentialFile: String? = nil, url: String? = nil, language: String? = nil, region: String? = nil
    ) {
        self.name = name
        self.credentialFile = credentialFile
        self.url = url
        self.language = language
        self.region = region
    }
}
