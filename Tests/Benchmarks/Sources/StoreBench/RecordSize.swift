import DiskStore
import LosslessJSON
import MergeCore
import ProfileKeeping

/// How large the record is beside the save it keeps.
enum RecordSize {
    static func run(_ report: inout Report, folder: String) throws {
        try Files.makeFolder(folder)
        let path = folder + "/save.json"
        let save = Save(sections: 1_000, leaves: 100)
        try Files.write(save.bytes, to: path)
        var desk = try Desk(folder + "/home")
        _ = try desk.add(path, number: 1)
        desk.record.close()
        report.title("The record of a save of \(save.bytes.count) bytes, \(save.count) leaves")
        let all = Files.size(folder + "/home/hearth.sqlite")
        report.add("record", Double(all) / 1e6, "MB")
        report.add("record, a leaf", Double(all) / Double(save.count), "bytes")
        report.add(
            "record without the image of the file, a leaf",
            Double(all - save.bytes.count) / Double(save.count),
            "bytes"
        )
    }
}
