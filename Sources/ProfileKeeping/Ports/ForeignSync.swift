/// Another tool that syncs the folder of a save. Two such tools on one file count changes twice: the other tool copies
/// a merged file to a machine, and Hearth on that machine takes the copy for a save of the game there.
package struct ForeignSync: Hashable, Sendable {
    package let tool: String
    /// The file or folder by which it was recognised.
    package let marker: String

    package init(tool: String, marker: String) { (self.tool, self.marker) = (tool, marker) }

    /// Why a save is not kept in that folder, and what to do.
    package func refusal(of path: String) -> String {
        "\(tool) syncs the folder of \(path) already (\(marker)); where two programs sync one save, coins can count twice: "
            + "take the folder out of \(tool), or do it anyway (--anyway)"
    }
}
