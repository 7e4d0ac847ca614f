package import MergeCore

/// A program as a process shows it: the executable or script that runs, the same for all of its processes.
package struct Program: Hashable, Sendable {
    /// Most bytes of its two paths together.
    package static let limit = 4_096

    /// The path of the executable that the system runs.
    package let executable: String
    /// The path of the script or program that the executable runs in turn, if it is an interpreter or a wrapper such as
    /// Wine. Never an option.
    package let script: String?

    /// Makes a program; `nil` if a path cannot be one, or if an interpreter runs code that has no name.
    package init?(executable: String, script: String? = nil) {
        let paths = [executable, script ?? "/"]
        guard paths.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "\n")) && !$0.utf8.contains(0) }),
            executable.utf8.count + (script?.utf8.count ?? 0) <= Self.limit,
            script != nil || !Self.isInterpreter(executable)
        else { return nil }
        (self.executable, self.script) = (executable, script)
    }

    /// The name that people use.
    package var name: String { Self.baseName(script ?? executable) }

    /// The last part of a path, also of a Windows path.
    package static func baseName(_ path: String) -> String {
        let last = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return last.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    // MARK: Stored form

    package var bytes: [UInt8] { Array((executable + (script.map { "\n" + $0 } ?? "")).utf8) }

    package init?(bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard 1...2 ~= lines.count else { return nil }
        self.init(executable: String(lines[0]), script: lines.count > 1 ? String(lines[1]) : nil)
    }

    // MARK: What is no game

    /// Whether an executable runs the program that its arguments name. Then the executable is not the program itself.
    package static func isInterpreter(_ executable: String) -> Bool {
        let name = baseName(executable).lowercased()
        if interpreters.contains(name) { return true }
        // `python3.12`, `wine64-preloader`, `lua5.4`, `mono-sgen`, `qemu-x86_64`, `ld-linux-x86-64.so.2`
        return ["python", "wine", "lua", "mono", "qemu-", "ld-linux", "ruby", "perl", "php"].contains {
            name.hasPrefix($0)
        }
    }

    private static let interpreters: Set<String> = [
        "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "env", "java", "javaw", "node", "nodejs", "deno", "bun",
        "dotnet", "electron", "nwjs", "nw", "box64", "box86", "fex", "fexinterpreter", "guile", "tclsh", "wish", "love",
        "scummvm", "retroarch",
    ]

    /// Whether the program is a tool that writes files for people and for other programs. Such a tool writes content
    /// that it did not load from this file, so its start says nothing about what was read.
    package var isTool: Bool { Self.tools.contains(name.lowercased()) }

    private static let tools: Set<String> = [
        // Copies, synchronizes, packs.
        "cp", "mv", "dd", "rsync", "rclone", "scp", "sftp-server", "tar", "unzip", "7z", "git", "install", "syncthing",
        "dropbox", "nextcloud", "onedrive", "insync", "megasync", "restic", "borg", "duplicity", "deja-dup", "steam",
        "steamwebhelper", "xdg-document-portal", "wineserver", "wineserver64", "cat", "tee", "sed", "awk", "jq",
        "touch",
        // Manages files and indexes them.
        "nautilus", "dolphin", "thunar", "nemo", "pcmanfm", "caja", "ranger", "mc", "finder", "tracker-miner-fs-3",
        "tracker-extract-3", "localsearch-3", "baloo_file", "baloo_file_extractor", "mds", "mdworker",
        // Edits.
        "vi", "vim", "nvim", "gvim", "emacs", "nano", "micro", "hx", "kak", "ed", "gedit", "gnome-text-editor", "kate",
        "kwrite", "mousepad", "xed", "pluma", "code", "codium", "sublime_text", "geany", "zed", "textedit",
        "notepad.exe",
    ]
}

/// A process that was seen running.
package struct SeenProcess: Hashable, Sendable {
    /// Its process id. Another process may get the same id after this one ended, so only id and start together name it.
    package let id: Int32
    package let start: MonotonicTime
    /// The program that it runs; `nil` if that is not known.
    package let program: Program?

    package init(id: Int32, start: MonotonicTime, program: Program?) {
        (self.id, self.start, self.program) = (id, start, program)
    }
}

/// A file that a process has open for writing.
package struct WrittenFile: Hashable, Sendable {
    /// The folder, as the caller of the search named it.
    package let folder: String
    package let name: String
    package let process: SeenProcess

    package init(folder: String, name: String, process: SeenProcess) {
        (self.folder, self.name, self.process) = (folder, name, process)
    }
}
