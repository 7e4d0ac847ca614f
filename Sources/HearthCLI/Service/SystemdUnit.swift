/// The unit with which systemd runs the agent for one user. `Packaging/systemd/hearth.service` is the same text, for the
/// program of a package; a test compares the two.
enum SystemdUnit {
    static let name = "hearth.service"

    static func text(_ program: ServiceProgram) -> String {
        let command = [word(program.path, isProgram: true)] + program.arguments.map { word($0) }
        return #"""
            # \#(ServiceFile.mark), or by a package, and replaced by them.
            # Changes of your own belong into: systemctl --user edit hearth

            [Unit]
            Description=Hearth keeps game saves in step across the machines of this home
            Documentation=man:hearth(1)
            # However often it fails it is started again: what is in its way, such as a full disk, may be gone later.
            StartLimitIntervalSec=0

            [Service]
            # The agent itself says when it is ready and when it stops.
            Type=notify
            ExecStart=\#(command.joined(separator: " "))
            # Has config.yaml read again.
            ExecReload=/bin/kill -HUP $MAINPID
            # Started again after a crash, and not after 'systemctl --user stop hearth'.
            Restart=on-failure
            RestartSec=10
            # At its start it reads every save, and puts right what a crash left.
            TimeoutStartSec=10min
            # An agent that hangs is ended and started again; a large save keeps it busy for seconds, not for minutes.
            WatchdogSec=5min
            # It stops within five seconds; after these it is killed.
            TimeoutStopSec=20

            # What the agent can do, should somebody take it over through the network.
            #
            # No program that it starts gets more rights than it has, by sudo for example.
            NoNewPrivileges=yes
            # Only the system calls that services need, and the two that say which program opened a save.
            SystemCallFilter=@system-service fanotify_init fanotify_mark
            # Any other call fails, and does not end the agent.
            SystemCallErrorNumber=EPERM
            # No calls of another processor, such as those of 32-bit programs.
            SystemCallArchitectures=native
            # Sockets of this machine, the network, and the kernel's word of changed network interfaces; no raw packets.
            RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
            # No namespaces, through which many faults of the kernel are reached.
            RestrictNamespaces=yes
            # No memory that is written and then run.
            MemoryDenyWriteExecute=yes
            # No other personality of the kernel, such as one without random addresses.
            LockPersonality=yes
            # No priority before all other programs.
            RestrictRealtime=yes
            # No core file: it would hold the key of this machine.
            LimitCORE=0
            # No backtrace, which Swift prints where it is installed: what it needs for that is refused above, and the try
            # keeps an agent that hangs from ending when it is told to.
            Environment=SWIFT_BACKTRACE=enable=no
            #
            # Left out on purpose: everything that gives the agent file systems of its own (ProtectSystem, ProtectHome,
            # PrivateTmp, ProtectProc). For a user's service systemd can do that only in a user namespace of its own, and
            # from there Linux shows neither the program nor the open files of the games; Hearth would write into a save
            # while its game runs. RestrictSUIDSGID is left out because a save keeps every bit of its mode.

            [Install]
            WantedBy=default.target

            """#
    }

    /// A word of a command line as systemd reads it. `%` has a meaning everywhere there, `$` in all words but the first.
    static func word(_ word: String, isProgram: Bool = false) -> String {
        var result = ""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "%": result += "%%"
            case "$": result += isProgram ? "$" : "$$"
            case "\\": result += #"\\"#
            case "\"": result += #"\""#
            case "\n": result += #"\n"#
            default: result.unicodeScalars.append(scalar)
            }
        }
        return word.unicodeScalars.allSatisfy(isPlain) && !word.isEmpty ? result : "\"\(result)\""
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", ":", ",", "+", "=", "@", "%": true
        default: false
        }
    }
}
