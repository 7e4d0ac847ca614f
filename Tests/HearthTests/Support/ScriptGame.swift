import Libc
import TestSupport

/// A game in the form of a shell script: it keeps a copy of the save it found, and plays when it is told to.
struct ScriptGame {
    let folder: String
    let path: String

    /// - Parameters:
    ///   - name: The name of the script, by which the process is recognised.
    ///   - play: The commands after it has read its save. `$1` is the save, `$2` the game's folder.
    init(in folder: String, name: String = "script-game", _ play: String) {
        self.folder = folder
        path = "\(folder)/\(name)"
        let text = """
            #!/bin/sh
            cat "$1" > "$2/found.part"
            echo $$ > "$2/id"
            mv "$2/found.part" "$2/found"
            \(play)

            """
        Disk.write(Array(text.utf8), path)
        chmod(path, 0o700)
    }

    /// The words after `--`.
    func command(_ save: String) -> [String] { [path, save, folder] }

    /// The save that the game found at its start; `nil` at the limit.
    func found() async throws -> GameSave? {
        try await poll { GameSave(at: folder + "/found") }
    }

    /// Lets a game that waits with ``untilTold`` continue.
    func tell() { Disk.write([], folder + "/go") }

    /// The process id.
    var id: pid_t? { pid_t(Disk.text(folder + "/id").split(separator: "\n").first.map(String.init) ?? "") }

    static let untilTold = #"n=0; while [ ! -e "$2/go" ] && [ $n -lt 6000 ]; do sleep 0.05; n=$((n+1)); done"#

    /// Saves by rename, with this number of coins.
    static func saves(coins: Int) -> String {
        #"sed 's/"coins": [0-9]*/"coins": \#(coins)/' "$2/found" > "$1.game"; mv "$1.game" "$1""#
    }
}
