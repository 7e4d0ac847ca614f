import ProfileKeeping

/// The reports of one batch of events. An event that equals the one before it of the same path is left out.
struct WatchReports {
    private(set) var list: [(path: String, event: FileDebouncer.Event)] = []
    private var last: [String: FileDebouncer.Event] = [:]

    var paths: [String] { last.keys.sorted() }

    mutating func add(_ path: String, _ event: FileDebouncer.Event) {
        guard last[path] != event else { return }
        last[path] = event
        list.append((path, event))
    }
}
