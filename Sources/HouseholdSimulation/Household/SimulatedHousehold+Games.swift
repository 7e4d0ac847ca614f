import HouseholdAgent
import LosslessJSON
package import ProfileKeeping

/// Game processes of a simulated device: starting one, and letting it open and write the save.
extension SimulatedHousehold {
    package func launch(_ program: Program?, on device: SimulatedDevice) -> SeenProcess {
        device.programs.start(program, at: now)
    }

    /// Lets a process open the file and read it.
    package func read(_ path: String, by process: SeenProcess, on device: SimulatedDevice) -> String? {
        device.programs.noteOpen(of: path, by: process)
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
        device.programs.noteReplacement(of: path, by: process)
        save(text, to: path, on: device)
    }

    /// Lets a game in the agent's own process replace the file by rename, durably. Returns what it hands over.
    package func write(_ text: String, to path: String, on device: SimulatedDevice) throws -> WrittenSave {
        let document = try JSONDocument(parsing: Array(text.utf8))
        device.files.saveByRename(document.bytes, at: path)
        return WrittenSave(path: path, document: document, file: try device.files.identity(of: path)!)
    }

    /// Lets such a game hand a save over.
    package func handOver(_ save: WrittenSave, on device: SimulatedDevice) {
        deliver(index(device), .saved(save))
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
