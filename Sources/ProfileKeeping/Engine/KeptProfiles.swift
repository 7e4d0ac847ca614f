import MergeCore

/// Profiles by their id. They are kept in pages, since a dictionary has room for up to twice its elements, and a profile is
/// hundreds of bytes. After a copy, what is changed costs a page, and not all of them.
struct KeptProfiles: Sendable {
    private static let pageSize = 32

    /// Full pages, but for the last one. No slot is empty, except while its profile is changed.
    private var pages: [[KeptProfile?]] = []
    /// The number of each profile's slot.
    private var slots: [ProfileID: Int] = [:]

    subscript(id: ProfileID) -> KeptProfile? {
        get { slots[id].flatMap { pages[$0 / Self.pageSize][$0 % Self.pageSize] } }
        _modify {
            let slot = slots[id]
            var profile: KeptProfile?
            // It is taken out, so that what it holds has one owner.
            if let slot { swap(&profile, &pages[slot / Self.pageSize][slot % Self.pageSize]) }
            defer {
                switch (slot, profile != nil) {
                case (let slot?, true): swap(&profile, &pages[slot / Self.pageSize][slot % Self.pageSize])
                case (let slot?, false): remove(id, slot)
                case (nil, true): append(&profile, id)
                case (nil, false): break
                }
            }
            yield &profile
        }
    }

    /// Changes a profile in its place; nothing where it is not kept.
    mutating func update(_ id: ProfileID, _ body: (inout KeptProfile) -> Void) {
        guard let slot = slots[id] else { return }
        body(&pages[slot / Self.pageSize][slot % Self.pageSize]!)
    }

    var values: some Collection<KeptProfile> { slots.keys.lazy.map { self[$0]! } }

    private mutating func append(_ profile: inout KeptProfile?, _ id: ProfileID) {
        slots[id] = slots.count
        if pages.last.map({ $0.count < Self.pageSize }) != true {
            pages.append([])
            pages[pages.count - 1].reserveCapacity(Self.pageSize)
        }
        var new: KeptProfile?
        swap(&new, &profile)
        pages[pages.count - 1].append(new)
    }

    /// Removes a profile that was taken out; the last one takes its slot.
    private mutating func remove(_ id: ProfileID, _ slot: Int) {
        slots[id] = nil
        let last = pages[pages.count - 1].removeLast()
        if pages[pages.count - 1].isEmpty { pages.removeLast() }
        guard let last else { return }  // it was the last one itself
        pages[slot / Self.pageSize][slot % Self.pageSize] = last
        slots[last.id] = slot
    }
}
