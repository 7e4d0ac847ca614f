import HouseholdSimulation

/// How everything is while it is quiet.
extension Stage {
    /// Notes how everything is, so that what follows is judged by that.
    func rest() {
        let unsettled = round.unjudged.isEmpty ? [] : devices.indices.flatMap { self.unsettled($0) }
        round = round.next(
            before: devices.indices.map { save($0) },
            wrongClocks: Set(devices.indices.filter { devices[$0].skew != .zero }))
        round.unjudged = Set(unsettled.map(\.rule))
        records = devices.map(\.record.copy)
        look()
        for device in devices.indices {
            guard let last = contents[device].lastIndex(where: \.isSave) else { continue }
            contents[device].removeFirst(last)
        }
    }
}
