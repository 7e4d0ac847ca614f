import HouseholdAgent
import ProfileKeeping

/// Ways to change a save other than replacing it by rename: writing in place, deleting, moving.
extension SimulatedHousehold {
    /// Saves like a game that replaces the file by rename.
    package func save(_ text: String, to path: String, on device: SimulatedDevice) {
        device.files.setTime(date(on: device))
        device.files.saveByRename(Array(text.utf8), at: path)
        note(index(device), "saved \(path) \(text.utf8.count)")
        sum.add(now, index(device), text: Array(text.utf8))
        if device.watched.contains(path), device.isRunning { deliver(index(device), .file(path: path, .replaced)) }
    }

    /// Adds what a file holds to the digest of the run.
    package func digestText(of path: String, on device: SimulatedDevice) {
        if let bytes = device.files.bytes(at: path) { sum.add(now, index(device), text: bytes) }
    }

    package func text(of path: String, on device: SimulatedDevice) -> String? {
        device.files.bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Saves like a game that writes into the existing file, in two parts with a pause between them.
    ///
    /// - Parameter pause: The pause after the first part, in milliseconds.
    package func saveInPlace(_ text: String, to path: String, on device: SimulatedDevice, pause: Int64 = 20) {
        let bytes = Array(text.utf8)
        guard let handle = device.files.holdOpen(path) else { return save(text, to: path, on: device) }
        note(index(device), "saves in place \(path) \(bytes.count)")
        device.files.setTime(date(on: device))
        device.files.write(Array(bytes.prefix(bytes.count / 2)), into: handle)
        hear(.written, at: path, on: device)
        run(milliseconds: pause)
        device.files.setTime(date(on: device))
        device.files.write(bytes, into: handle, truncating: false)
        device.files.release(handle)
        hear(.written, at: path, on: device)
    }

    /// Moves a file by copying it to the new path and deleting the original. Does nothing where there is no file.
    package func moveFile(from former: String, to path: String, on device: SimulatedDevice) {
        guard let bytes = device.files.bytes(at: former) else { return }
        note(index(device), "moves \(former) to \(path)")
        device.files.setTime(date(on: device))
        device.files.saveByRename(bytes, at: path)
        device.files.delete(former)
        hear(.written, at: former, on: device)
        hear(.replaced, at: path, on: device)
    }

    package func delete(_ path: String, on device: SimulatedDevice) {
        note(index(device), "deleted \(path)")
        device.files.delete(path)
        hear(.written, at: path, on: device)
    }
}
