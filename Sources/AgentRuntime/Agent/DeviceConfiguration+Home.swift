import DiskStore
import ProfileKeeping
package import RuleFile

extension DeviceConfiguration {
    /// What `config.yaml` in a home says; nothing where there is none.
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
