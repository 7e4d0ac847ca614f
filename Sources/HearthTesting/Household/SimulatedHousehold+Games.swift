import HouseholdAgent
package import ProfileKeeping

/// Game processes of a simulated device: starting one, and letting it open and write the save.
extension SimulatedHousehold {
    package func launch(_ program: Program?, on device: SimulatedDevice) -> SeenProcess {
        device.programs.start(program, at: now)
    }

    /// Lets a process open the file and read it.
    package func read(_ path: String, by process: SeenProcess, on device: SimulatedDevice) -> String? {
        device.programs.noteOpen(of: path)
        return text(of: path, on: device)
    }

    /// Lets a process replace the file by rename.
    ///
    /// - Parameter isCaught: Whether the process had its temporary file open long enough for the agent to see which
    ///   process writes.
    package func save(
        _ text: String, to path: String, by process: SeenProcess, isCaught: Bool, on device: SimulatedDevice
    ) {
        if isCaught { tell(process, writes: path, on: device) }
        save(text, to: path, on: device)
    }

    /// Tells the agent which process writes a file.
    package func tell(_ process: SeenProcess, writes path: String, on device: SimulatedDevice) {
        guard device.watched.contains(path), device.isRunning else { return }
        deliver(index(device), .writer(path: path, process))
    }

    /// Lets the folder's watch report an event.
    package func hear(_ event: FileDebouncer.Event, at path: String, on device: SimulatedDevice) {
        guard device.watched.contains(path), device.isRunning else { return }
        deliver(index(device), .file(path: path, event))
    }
}
