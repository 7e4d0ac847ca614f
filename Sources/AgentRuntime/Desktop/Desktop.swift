import Libc

/// The player's desktop, which shows short messages (org.freedesktop.Notifications).
///
/// It is asked by way of the session's bus, anew each time: an agent shows a few messages a month.
struct Desktop: Sendable {
    private static let service = "org.freedesktop.Notifications"

    private let bus: [UInt8]

    /// `nil` where this process belongs to no session.
    init?(_ environment: [String: String]) {
        guard let bus = SessionBus.address(environment) else { return nil }
        self.bus = bus
    }

    /// Shows a message, in the place of a former one where that is still there.
    ///
    /// - Returns: The message's number; `nil` where no desktop shows it.
    func show(_ title: String, _ text: String, insteadOf former: UInt32? = nil) async -> UInt32? {
        var values = BusBytes(signature: "susssasa{sv}i")
        values.add("Hearth")
        values.add(former ?? 0)
        values.add("")
        values.add(Self.plain(title))
        values.add(Self.escaped(Self.plain(text)))
        // No buttons, no hints, and the desktop's own time.
        values.addList(alignment: 4)
        values.addList(alignment: 8)
        values.add(UInt32(bitPattern: -1))
        guard let answer = await call("Notify", values), answer.kind == .answer else { return nil }
        var reader = BusReader(answer.body.bytes)
        return reader.number()
    }

    /// Takes a message away, where it is still there.
    func close(_ number: UInt32) async {
        var values = BusBytes(signature: "u")
        values.add(number)
        _ = await call("CloseNotification", values)
    }

    /// The bus may take its time, so a thread of its own waits.
    private func call(_ member: String, _ values: BusBytes) async -> BusMessage? {
        await withCheckedContinuation { continuation in
            let bus = bus
            let isStarted = OwnThread.start {
                let message = BusMessage(
                    call: member, of: Self.service, at: "/org/freedesktop/Notifications", to: Self.service, values)
                continuation.resume(returning: SessionBus(address: bus)?.call(message))
            }
            if !isStarted { continuation.resume(returning: nil) }
        }
    }

    /// Names come from other machines: nothing in them shall control how they are shown.
    private static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(1_000).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// A desktop may take the text for markup.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
