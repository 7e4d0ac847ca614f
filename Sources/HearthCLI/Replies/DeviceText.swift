package import HouseholdAgent
package import MergeCore

/// The devices of a household as a table.
package enum DeviceText {
    package static func table(_ devices: [DeviceReport], _ style: Style, now: WallTime) -> String {
        var table = TextTable(["device", "", "where", "id"])
        for device in devices {
            let address = device.address.map(PlainText.line) ?? ""
            table.rows.append([
                TextTable.Cell(name(device), device.isThisDevice ? .strong : nil), state(device, among: devices, now),
                TextTable.Cell(address),
                // The beginning is what commands take, and leaves room for the rest within 80 columns.
                TextTable.Cell(PlainText.line(String(device.id.prefix(8))), .faint),
            ])
        }
        var text = table.text(style)
        // Whoever takes another machine's name is told from it by this.
        for device in devices {
            guard let paired = device.pairedAs.map(PlainText.line) else { continue }
            text += "\(name(device)) (\(PlainText.line(String(device.id.prefix(8))))) was paired as \(paired).\n"
        }
        for device in devices where device.keepsBackups == true {
            text += "\(name(device)) keeps copies of the daily backups of those who share them.\n"
        }
        if let here = devices.first(where: \.isThisDevice) {
            for holder in devices where !holder.isThisDevice && holder.keepsBackups == true {
                text +=
                    holder.sharesBackups == true
                    ? "\(name(here)) shares its own with \(name(holder)): whole saves, with what is local.\n"
                    : "\(name(here)) does not share its own with \(name(holder)); with "
                        + "'sharesBackups: [\(PlainText.line(holder.pairedAs ?? name(holder)))]' in its config.yaml it does.\n"
            }
        }
        if devices.count <= 1 {
            text += "No other device yet. Run 'hearth pair' here and type the code on the other one.\n"
        }
        return text
    }

    private static func state(_ device: DeviceReport, among devices: [DeviceReport], _ now: WallTime) -> TextTable.Cell
    {
        if device.isThisDevice { return TextTable.Cell("this one", .strong) }
        if device.connected { return TextTable.Cell("● connected", .good) }
        guard let through = device.reachedThrough else {
            let seen = device.lastSeen.map { PastTime.words(WallTime(milliseconds: $0), now: now) }
            return TextTable.Cell(seen.map { "○ away, seen \($0)" } ?? "○ away", .faint)
        }
        let names = through.map { id in devices.first { $0.id == id }.map(name) ?? PlainText.line(String(id.prefix(8)))
        }
        return TextTable.Cell("● through \(names.joined(separator: ", "))", .good)
    }

    package static func name(_ device: DeviceReport) -> String {
        let name = PlainText.line(device.name)
        return name.isEmpty ? "unnamed" : name
    }

    /// Finds a device by its id, its name, or the beginning of its id; also by `name (beginning of its id)`, as devices of
    /// one name are shown. A device that calls itself what another one's id begins with does not take its place.
    ///
    /// - Throws: ``CommandFailure`` where there is none, or more than one.
    static func find(_ wanted: String, in devices: [DeviceReport]) throws -> DeviceReport {
        if let exact = devices.first(where: { $0.id == wanted }) { return exact }
        var found = devices.filter { $0.name == wanted || wanted == "\($0.name) (\($0.id.prefix(8).lowercased()))" }
        // Ids are shown by their first eight digits. Fewer may be a name, such as "b" or "ada".
        if found.isEmpty ? !wanted.isEmpty : wanted.utf8.count >= 8 {
            found = devices.filter { found.contains($0) || $0.id.lowercased().hasPrefix(wanted.lowercased()) }
        }
        guard let device = found.first else {
            let near = NearWord.of(wanted, in: devices.map(\.name)).map { "did you mean \($0)? " } ?? ""
            throw CommandFailure(
                "no device is called \(wanted), nor does an id begin so", "\(near)list them with: hearth devices")
        }
        guard found.count == 1 else {
            let ids = found.map { PlainText.line($0.id) }.joined(separator: ", ")
            throw CommandFailure(
                "\(found.count) devices are meant by \(wanted)",
                "name one by its id: \(ids)",
                code: .needsDecision
            )
        }
        return device
    }
}
