/// Devices that sleep, like a laptop that is closed.
extension SimulatedHousehold {
    /// A device falls asleep: its agent gets nothing, no timer either, and nobody reaches it. Its clocks go on.
    package func sleep(_ device: SimulatedDevice) {
        guard device.isRunning, !device.isAsleep else { return }
        note(index(device), "sleeps")
        device.isAsleep = true
    }

    /// A device wakes: what was sent to it meanwhile comes in, also that its connections were closed by the others, and
    /// then the timers that are due.
    package func wake(_ device: SimulatedDevice) {
        guard device.isAsleep else { return }
        note(index(device), "wakes")
        device.isAsleep = false
        for event in device.takeMissed() { deliver(index(device), event) }
        askOthers(index(device))
    }
}
