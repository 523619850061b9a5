import Catalogs
import PluginKit
import SyncModel

extension FuzzTarget {
    /// What a catalog on the web answers.
    static let catalog = FuzzTarget(
        "catalog",
        seeds: [
            #"{"page":1,"results":[{"id":348,"title":"Alien","release_date":"1979-05-25","overview":"",""#
                + #"poster_path":"/a.jpg","backdrop_path":null}],"total_pages":33,"total_results":660}"#,
            #"{"id":348,"title":"Alien","runtime":117,"external_ids":{"imdb_id":"tt0078748"},"images":{"posters":"#
                + #"[{"file_path":"/a.jpg","iso_639_1":"en"}],"backdrops":[{"file_path":"/b.jpg","iso_639_1":null}]}}"#,
            #"{"Search":[{"Title":"Alien","Year":"1979–","imdbID":"tt0078748","Type":"movie","Poster":"N/A"}],"#
                + #""totalResults":"123","Response":"True"}"#,
            #"{"Title":"Alien","Released":"22 Jun 1979","Runtime":"117 min","imdbVotes":"1,234","imdbID":"tt0078748","#
                + #""Poster":"http://x/a.jpg","Response":"True"}"#,
            #"{"artists":[{"idArtist":"348","strArtist":"Air","intFormedYear":"0","strBiographyEN":null}]}"#,
            #"{"success":false,"status_code":7,"status_message":"Invalid API key"}"#,
            #"{"Response":"False","Error":"Request limit reached!"}"#, #"{"errors":["query must be provided"]}"#,
        ],
        words: [
            "null", #""N/A""#, #""0""#, "-1", "1e300", #""","#, "[]", "{}", #"\u200e"#, #""../""#, "http://",
            "99999999999",
        ]
    ) { input in
        var isTaken = false
        for catalog in BuiltInCatalogs.all {
            for status in [200, 401, 429] {
                let answer = CatalogAnswer(status: status, body: input)
                let query = CatalogQuery(.search("alien"), language: "de-AT", today: "2026-11-22")
                let found = try rows { () throws(CatalogError) in try catalog.page(of: query, in: answer).rows }
                let told = try ["348", "tt0078748"].flatMap { key in
                    try rows { () throws(CatalogError) in
                        [try catalog.details(of: key, language: "de-AT", in: answer)]
                    }
                }
                for row in found + told { try check(row) }
                isTaken = isTaken || !(found + told).isEmpty
            }
        }
        return isTaken
    }

    /// None where the answer is refused, which has to be said in words.
    private static func rows(_ read: () throws(CatalogError) -> [CatalogRow]) throws -> [CatalogRow] {
        do throws(CatalogError) {
            return try read()
        } catch {
            try promise(!error.message.isEmpty, "refused without a word")
            return []
        }
    }

    private static func check(_ row: CatalogRow) throws {
        try promise(!row.key.isEmpty && row.key != "0", "a row without a key")
        let title = (row.fields["title"] ?? row.fields["name"])?.text ?? ""
        try promise(title.contains { !$0.isWhitespace }, "a row without a title")
        for (name, value) in row.fields {
            try promise(value != .null && value != .string("") && value != .string("N/A"), "\(name) means nothing")
        }
        for image in row.images { try promise(image.url.hasPrefix("https://"), "a picture at \(image.url)") }
    }
}
