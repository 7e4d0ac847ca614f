import Glibc
import LocalFiles
import TestSupport
import Testing

@Suite struct DurableFileTests {
    let folder = TemporaryFolder()
    var path: String { folder["file"] }
    var draft: String { folder["file.new"] }

    private var names: [String] { Disk.names(in: folder.path) }

    /// The error of some calls; `nil` where there is none.
    private func fault(_ calls: () throws(FileFault) -> Void) -> FileFault? {
        do throws(FileFault) {
            try calls()
            return nil
        } catch {
            return error
        }
    }

    @Test func aNewFileIsPrivateAndAlone() throws {
        Disk.write("left by a killed process", draft)
        try DurableFile.createNew([1, 2], at: path, draft: draft)
        #expect(Disk.read(path) == [1, 2])
        #expect(Disk.mode(path) == 0o600)
        #expect(names == ["file"])
    }

    @Test func aFileThatIsThereIsNotCreatedAnew() {
        Disk.write("old", path)
        let fault = fault { () throws(FileFault) in try DurableFile.createNew([1], at: path, draft: draft) }
        #expect(fault == FileFault(.link, code: EEXIST))
        #expect(Disk.text(path) == "old")
        #expect(names == ["file"])
    }

    @Test func aLinkThatLeadsNowhereIsAFileThatIsThere() {
        symlink(folder["nowhere"], path)
        #expect(fault { () throws(FileFault) in try DurableFile.create([1], at: path) }?.code == EEXIST)
        let fault = fault { () throws(FileFault) in try DurableFile.createNew([1], at: path, draft: draft) }
        #expect(fault == FileFault(.link, code: EEXIST))
        #expect(names == ["file"])
    }

    @Test func aFileIsReplacedWhole() throws {
        Disk.write("a longer text", path)
        try DurableFile.replace(path, with: [7], draft: draft)
        #expect(Disk.read(path) == [7])
        #expect(names == ["file"])
    }

    @Test func whatCannotBeReplacedLeavesNothingBehind() {
        mkdir(path, 0o755)
        let fault = fault { () throws(FileFault) in try DurableFile.replace(path, with: [7], draft: draft) }
        #expect(fault == FileFault(.rename, code: EISDIR))
        #expect(names == ["file"])
    }

    @Test func whatCannotBeFinishedLeavesNothingBehind() {
        let fault = fault { () throws(FileFault) in
            try DurableFile.create([1], at: path) { (_) throws(FileFault) in
                throw FileFault(.setMode, code: EPERM)
            }
        }
        #expect(fault == FileFault(.setMode, code: EPERM))
        #expect(names.isEmpty)
    }

    @Test func theFolderOfAPathIsFound() throws {
        try DurableFile.syncFolder(of: path)
        try DurableFile.syncFolder(of: "/file")
        try DurableFile.syncFolder(of: "file")
        let fault = fault { () throws(FileFault) in try DurableFile.syncFolder(of: folder["none/file"]) }
        #expect(fault == FileFault(.openFolder, code: ENOENT))
    }
}
