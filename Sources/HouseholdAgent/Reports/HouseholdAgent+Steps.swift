import MergeCore
import ProfileKeeping
import SyncProtocol

/// What happened lately, of all profiles, one profile, or one device.
extension HouseholdAgent {
    /// The largest number of steps in one answer, and of each step the largest number and size of its places.
    private static var stepLimit: Int { 1_000 }
    private static var placeLimit: Int { 12 }
    private static var valueLimit: Int { 16 << 10 }
    /// How many steps of a profile are read at once.
    private static var page: Int { 50 }

    mutating func listSteps(_ call: Call<LogRequest>, _ request: LogRequest) {
        guard 1...Self.stepLimit ~= request.limit else {
            let why = "a log of \(request.limit) steps cannot be listed; ask for 1 to \(Self.stepLimit)"
            return fail(call.id, .usage, why)
        }
        guard let scope = scope(request.subject, for: call.id) else { return }
        var newest = NewestSteps(limit: request.limit)
        do {
            for id in scope.profiles { try add(stepsOf: id, by: scope.device, since: request.since, to: &newest) }
        } catch {
            return fail(call.id, .failed, error.message)
        }
        var report = newest.report()
        if request.lines == true { report.lines = newestLines.report(since: request.since) }
        answer(call) { [report] _ in report }
    }

    /// The profiles that a name means, and the device by the name that reports give it; `nil` if it means nothing. Then
    /// the request has been answered.
    private mutating func scope(_ name: String?, for id: RequestID) -> (profiles: [ProfileID], device: String?)? {
        let held = engine.profiles
        // A forgotten save keeps its former steps in the log.
        let all = engine.ids.filter { held.isOffered($0) || held[$0]?.isForgotten == true }
        guard let name else { return (all, nil) }
        if !profiles(named: name).isEmpty {
            guard let profile = one(named: name, for: id) else { return nil }
            return ([profile], nil)
        }
        let devices = members(named: name)
        if devices.count == 1 {
            let isThisDevice = devices[0].key == signer.key
            return (all, isThisDevice ? identity.name : self.name(of: devices[0].id))
        }
        if devices.isEmpty {
            fail(id, .failed, unknown(name))
        } else {
            fail(id, .needsDecision, "several machines are called \(name): name one by its id: \(list(devices))")
        }
        return nil
    }

    /// Adds the steps of one profile since a time. They are read page by page, the newest first, until a whole page is
    /// older: a clock that was set for a while must not hide what came before.
    private func add(
        stepsOf id: ProfileID, by device: String?, since: WallTime, to newest: inout NewestSteps
    ) throws(StorageFault) {
        guard let name = engine.profiles[id]?.name else { return }
        var below = Int64.max
        while true {
            let steps = try engine.history(id, below: below, limit: Self.page)
            let recent = steps.filter { $0.entry.time >= since }
            for step in recent {
                guard let report = historyReport(step) else { continue }
                if let device, !report.devices.contains(device) { continue }
                newest.add(
                    LogReport.Entry(
                        profile: name, id: id.description,
                        step: report.cut(places: Self.placeLimit, bytes: Self.valueLimit)))
            }
            guard let last = steps.last, steps.count == Self.page, !recent.isEmpty else { return }
            below = last.number
        }
    }
}
