internal import Foundation

extension String {
    /// The text as searches compare it: without case, accents and width.
    var folded: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
