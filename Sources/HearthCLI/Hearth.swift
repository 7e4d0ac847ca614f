import ArgumentParser

/// The root command, with its help and its subcommands.
struct Hearth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hearth",
        abstract: "Your saves, at home on every machine.",
        discussion: """
            Hearth keeps the save files of your games in step across the machines of your home: no cloud, no account, \
            no server. Start an agent on every machine, pair the machines once, and add your saves.

              hearth agent                    keeps everything in step while it runs
              hearth pair                     shows a code; type it on the other machine
              hearth add ~/Games/save.json    on the machine that has the save
              hearth restore NAME --to FILE   on the other one
              hearth play NAME -- GAME        plays it, in step before and after
              hearth status                   what is fine, what is not, and what to do
              hearth page                     all of it in the browser
              hearth log                      what happened last night
              hearth doctor                   why a machine is not seen, a save not in step

            'hearth --home DIR COMMAND' is about another installation than yours; every command takes --home as well. \
            With --json a command prints one JSON object, or one object a line, and a failure as \
            {"error":{"code","message","hint"}}.

            Try it first without touching anything of yours: hearth demo

            Exit codes: 0 done, 1 failed, 2 wrong usage, 3 you have to choose, 4 no agent is running, \
            5 refused because something is newer than this Hearth.
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Saves:",
                subcommands: [
                    Add.self, Play.self, Restore.self, Move.self, Rename.self, Remove.self, Forget.self, Show.self,
                    Export.self, Import.self,
                ]),
            CommandGroup(
                name: "Your say:",
                subcommands: [
                    Explain.self, History.self, Undo.self, Conflicts.self, Resolve.self, ResetProfile.self, Accept.self,
                    Keep.self,
                    Backups.self, BackupKeyCommand.self, Migrate.self,
                ]),
            CommandGroup(
                name: "Machines:",
                subcommands: [RunAgent.self, ServiceCommand.self, Pair.self, Devices.self, Unpair.self]),
            CommandGroup(
                name: "How things are:",
                subcommands: [Status.self, PageCommand.self, Log.self, Doctor.self, Sync.self, Pause.self, Resume.self]),
            CommandGroup(name: "Without an agent:", subcommands: [Merge.self, Check.self, Simulate.self, Demo.self]),
        ]
    )
}
