import MergeCore
import ProfileKeeping

/// The restores of many saves: one works at a time, the others wait for it.
///
/// First the other devices may say what they have, then it is planned where each save goes. Then the form of a few saves is
/// asked for at a time, and as soon as enough files are known they are made together, in an event of their own: while the
/// disk works on them, the other device prepares the next form.
struct ManyRestores {
    /// Saves whose form is asked for at a time.
    static let asked = 4
    /// Files that are made together, and the bytes that they may have.
    static let groupCount = 64
    static let groupBytes = 8 << 20
    /// Saves that are begun in one event.
    static let begunAtOnce = 256
    /// The time to the next event, where there is more to do than one may do at once.
    static let pause = Duration.milliseconds(1)
    /// The time between two looks whether all saves have come.
    static let look = Duration.milliseconds(200)
    /// The time for which nothing new may come while saves are waited for.
    static let patience = Duration.seconds(10)

    /// A save that is to get a file.
    struct Save {
        let id: ProfileID
        let path: String
    }

    /// A save whose form was asked for: its file can be made.
    struct Ready {
        let save: Save
        /// `nil` where no device knew the form.
        let form: NewFileForm?
    }

    /// One request.
    struct Run {
        let call: Call<RestoreManyRequest>
        let request: RestoreManyRequest
        let began: MonotonicTime
        /// How many saves were known when that was looked at last, and since when there are no more.
        var known = 0
        var knownSince: MonotonicTime
        /// When it is looked at next whether all have come.
        var nextLook = MonotonicTime.min
        /// The saves that are not begun yet; `nil` until it is planned where each goes.
        var left: ArraySlice<Save>?
        var total = 0
        /// The saves whose form is asked for.
        var asking: [Save] = []
        /// The forms that came, in the order in which they did.
        var texts: [(profile: ProfileID, text: [UInt8])] = []
        /// The form that each file is to have, parsed from those texts.
        var forms: [ProfileID: NewFileForm] = [:]
        var ready: [Ready] = []
        var outcomes: [RestoredSave] = []
        /// How many outcomes the client was told of.
        var told = -1

        /// Whether files are to be made now.
        var isGroupDue: Bool {
            guard let left, !ready.isEmpty else { return false }
            return left.isEmpty && asking.isEmpty || ready.count >= ManyRestores.groupCount
                || ready.reduce(0) { $0 + ($1.form?.bytes.count ?? 0) } >= ManyRestores.groupBytes
        }

        var isOver: Bool { left?.isEmpty == true && asking.isEmpty && ready.isEmpty }
    }

    private var runs: [Run] = []
    /// When something is due.
    var deadline: MonotonicTime?

    /// The request that works now. What is changed of it is changed by ``update(_:)``, without a copy of its lists.
    var current: Run? { runs.first }

    mutating func update<Result>(_ body: (inout Run) -> Result) -> Result { body(&runs[0]) }

    /// Ends the request that works now.
    mutating func endCurrent(now: MonotonicTime) {
        runs.removeFirst()
        deadline = runs.isEmpty ? nil : now + Self.pause
    }

    /// Takes out the next save that may be begun; `nil` where others come first.
    mutating func takeNext() -> Save? {
        guard !runs.isEmpty, !runs[0].isGroupDue, runs[0].asking.count < Self.asked else { return nil }
        return runs[0].left?.popFirst()
    }

    mutating func note(_ outcome: RestoredSave) { runs[0].outcomes.append(outcome) }

    /// Notes that the form of a save is asked for.
    mutating func asks(for save: Save) { runs[0].asking.append(save) }

    /// Notes that a save's form has come, or will not come.
    mutating func settled(_ save: Save) {
        let form = runs[0].forms.removeValue(forKey: save.id)
        runs[0].asking.removeAll { $0.id == save.id }
        runs[0].ready.append(Ready(save: save, form: form))
    }

    /// Takes out the saves whose files are to be made.
    mutating func takeGroup() -> [Ready] {
        defer { runs[0].ready = [] }
        return runs[0].ready
    }

    mutating func add(_ call: Call<RestoreManyRequest>, _ request: RestoreManyRequest, now: MonotonicTime) {
        runs.append(Run(call: call, request: request, began: now, knownSince: now))
    }

    /// Whether the form of a profile is asked for here, though it is bound to no file yet.
    func isAsking(_ id: ProfileID) -> Bool { runs.first?.asking.contains { $0.id == id } == true }

    /// Notes a form that came.
    mutating func came(_ text: [UInt8], of id: ProfileID) { runs[0].texts.append((id, text)) }

    /// Takes out the forms that came.
    mutating func takeTexts() -> [(profile: ProfileID, text: [UInt8])] {
        defer { runs[0].texts = [] }
        return runs[0].texts
    }

    /// Notes what was made of a form.
    mutating func made(_ form: NewFileForm, of id: ProfileID) { runs[0].forms[id] = form }

    /// Ends a request, because its client is gone. Returns the profiles whose form need not be asked for any more.
    mutating func end(_ id: RequestID) -> [ProfileID] {
        guard let index = runs.firstIndex(where: { $0.call.id == id }) else { return [] }
        let asking = runs.remove(at: index).asking.map(\.id)
        if runs.isEmpty { deadline = nil }
        return asking
    }
}
