extension String {
    /// Whether a text has more than so many characters, as each limit of a field counts them: code points, so that an accent
    /// that stands by itself is one.
    package func isLonger(than limit: Int) -> Bool { unicodeScalars.count > limit }
}
