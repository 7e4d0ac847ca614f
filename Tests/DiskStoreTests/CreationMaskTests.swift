import Glibc
import TestSupport
import Testing

@testable import DiskStore

/// Hearth may run inside a game, whose other threads make files while it starts.
@Suite struct CreationMaskTests {
    let folder = TemporaryFolder()

    @Test func readingItChangesNothingForOtherThreads() async throws {
        let path = folder.path
        let modes = await withTaskGroup(of: Set<mode_t>.self) { group in
            for number in 0..<4 {
                group.addTask {
                    var modes: Set<mode_t> = []
                    for step in 0..<500 {
                        if number % 2 == 0 {
                            _ = DiskFiles(home: path)
                        } else {
                            let made = "\(path)/\(number)-\(step)"
                            mkdir(made, 0o777)
                            modes.insert(Disk.mode(made) ?? 0)
                        }
                    }
                    return modes
                }
            }
            return await group.reduce(into: Set<mode_t>()) { $0.formUnion($1) }
        }
        #expect(modes == [0o777 & ~CreationMask.current])
    }

    @Test func itIsTheOneOfTheProcess() throws {
        mkdir(folder["made"], 0o777)
        #expect(Disk.mode(folder["made"]) == 0o777 & ~CreationMask.current)
    }
}
