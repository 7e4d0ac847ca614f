import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// The history of a profile on this device.
extension HouseholdAgent {
    /// The largest number of steps in one answer: all that are kept.
    static var historyLimit: Int { Int(HistoryRow.countLimit) }

    /// Answers with the newest steps of a profile. With a pointer, only steps that changed this place, a place below
    /// it, or the whole value it is part of.
    mutating func history(_ call: Call<HistoryRequest>, _ name: String, _ pointer: String?, _ limit: Int) {
        guard let profile = one(named: name, for: call.id), let held = engine.profiles[profile] else { return }
        guard 1...Self.historyLimit ~= limit else {
            return fail(
                call.id, .usage, "a history of \(limit) steps cannot be listed; ask for 1 to \(Self.historyLimit)")
        }
        do {
            var filter: PlaceFilter?
            if let pointer, !pointer.isEmpty { filter = try PlaceFilter(pointer, in: merged(held), held.rules) }
            var found: [HistoryReport] = []
            var below = Int64.max
            while found.count < limit {
                let steps = try engine.history(profile, below: below, limit: filter == nil ? limit : 100)
                for step in steps where found.count < limit {
                    if let report = report(step, filter) { found.append(report) }
                }
                guard filter != nil, let last = steps.last else { break }
                below = last.number
            }
            answer(call) { [found] _ in HistoryList(history: found) }
        } catch let error as JSONPointerError {
            fail(call.id, .usage, "\(error)")
        } catch {
            fail(call.id, .failed, "\(error)")
        }
    }

    /// The report of one step with all its changes.
    func historyReport(_ step: ProfileEngine<Files, Store>.HistoryStep) -> HistoryReport? { report(step, nil) }

    private func report(_ step: ProfileEngine<Files, Store>.HistoryStep, _ filter: PlaceFilter?) -> HistoryReport? {
        let all = step.entry.changes
        let shown = filter.map { filter in all.filter { filter.matches($0.path) } } ?? all
        let lowered = step.entry.lowered.filter { filter?.matches(lowered: $0) ?? true }
        guard filter == nil || !shown.isEmpty || !lowered.isEmpty else { return nil }
        var devices: [String] = []
        for writer in [step.writer] + step.entry.writers {
            let name = deviceName(writer)
            if !devices.contains(name) { devices.append(name) }
        }
        return HistoryReport(
            number: Int(step.number), time: step.entry.time.milliseconds, origin: "\(step.entry.origin)",
            devices: devices,
            changes: shown.map(ChangeReport.init), more: all.count - shown.count + step.entry.more,
            lowered: Self.some(lowered),
            moreLowered: step.entry.moreLowered > 0 && filter == nil ? step.entry.moreLowered : nil)
    }
}

/// A filter for the places that a JSON Pointer means: the place itself, all below it, and the whole value that it is
/// part of.
private struct PlaceFilter {
    private let place: [UInt8]?
    private let text: String

    /// - Parameter document: The current document. It shows which keyed element is at an index now. An element that is
    ///   gone, or a place copied from a listing, is found by its text.
    init(_ pointer: String, in document: [UInt8]?, _ rules: RuleSet) throws {
        let parsed = try JSONPointer(parsing: pointer)
        text = pointer
        place =
            document.flatMap { try? JSONDocument(parsing: $0) }
            .flatMap { DocumentPath(parsed, in: $0, rules: rules) }?.encoded
    }

    /// Whether the words about a lowered place, which begin with the place, are about a place of this filter.
    func matches(lowered words: String) -> Bool {
        words == text || words.hasPrefix(text + " ") || words.hasPrefix(text + "/")
    }

    func matches(_ path: DocumentPath) -> Bool {
        let words = path.description
        if words == text || words.hasPrefix(text + "/") || text.hasPrefix(words + "/") { return true }
        guard let place else { return false }
        let slash = UInt8(ascii: "/")
        return path.encoded == place || path.encoded.starts(with: place + [slash])
            || place.starts(with: path.encoded + [slash])
    }
}

extension ChangeReport {
    init(_ change: HistoryEntry.Change) {
        func text(_ value: JSONValue?) -> String? { value.map { String(decoding: $0.jsonBytes, as: UTF8.self) } }
        self.init(place: change.path.description, old: text(change.old), new: text(change.new))
    }
}
