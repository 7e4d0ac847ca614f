import DiskStore
import ProfileKeeping
package import RuleFile

extension DeviceConfiguration {
    /// Reads `config.yaml` in a home; the defaults where there is none.
    ///
    /// - Throws: ``HomeFault`` for a file that is wrong, `StorageFault` for one that cannot be read or has more than 1
    ///   MiB.
    package init(of home: HearthHome) throws {
        let path = home.path + "/config.yaml"
        guard let content = try DiskFiles(home: home.path).read(path, limit: 1 << 20) else {
            self.init()
            return
        }
        do {
            try self.init(yaml: content.bytes)
        } catch {
            throw HomeFault(description: "\(path):\(error)")
        }
    }
}
