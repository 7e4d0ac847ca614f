import Libc
import ProfileKeeping

/// `StoreDriver FOLDER RUN`: takes up the save in `FOLDER/game`, merges another device's edit into it, writes it back,
/// makes the day's backup and clears up, with the record in `FOLDER/home`; then says how it stands, as one line of
/// JSON.
///
/// All of it in one short process on one thread, by a clock and random numbers that are the same at every start, so
/// that a test can end it at each of its system calls in turn. Where nothing is there yet, it begins with nothing.
/// With `FOLDER first`, only the other device's beginning is taken up.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let run = arguments[2] == "first" ? 0 : Int64(arguments[2]), run < 1_000 else {
            say("usage: StoreDriver FOLDER (first | RUN)\n", to: 2)
            exit(64)
        }
        do {
            let peer = try Peer(hasPlayed: run > 0)
            var device = try Device(folder: arguments[1], run: run)
            try device.settle(with: peer)
            say(try device.report(seenBy: peer) + "\n", to: 1)
        } catch {
            say("\(error)\n", to: 2)
            exit(1)
        }
    }

    /// By another call than files are written with, so that it can be heard while every write fails.
    static func say(_ text: String, to file: Int32) {
        var bytes = Array(text.utf8)
        bytes.withUnsafeMutableBytes { buffer in
            var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
            _ = writev(file, &vector, 1)
        }
    }
}
