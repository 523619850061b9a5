/// One page of a list.
package struct Page<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    package var items: [Item]
    /// What to give as `after` for the next page; null at the end.
    @Nullable package var next: String?

    package init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }
}
