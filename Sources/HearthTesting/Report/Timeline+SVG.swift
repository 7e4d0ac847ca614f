/// The timeline as a picture: a lane for each device from left to right, and time going down.
extension Timeline {
    private static let laneWidth = 260
    private static let lineHeight = 22
    private static let margin = 90
    private static let head = 46

    /// The picture as the text of an SVG 1.1 file. Equal timelines give equal texts.
    public var svg: String {
        let width = Self.margin + devices.count * Self.laneWidth + 20
        let height = Self.head + entries.count * Self.lineHeight + 20
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
                + #"viewBox="0 0 \#(width) \#(height)" font-family="sans-serif" font-size="12">"#,
            #"<rect width="\#(width)" height="\#(height)" fill="white"/>"#,
        ]
        for (lane, name) in devices.enumerated() {
            let x = Self.x(lane)
            lines.append(#"<text x="\#(x)" y="24" font-weight="bold">\#(Self.escaped(name))</text>"#)
            lines.append(
                #"<line x1="\#(x)" y1="\#(Self.head - 10)" x2="\#(x)" y2="\#(height - 12)" stroke="silver"/>"#)
        }
        for (row, entry) in entries.enumerated() { lines += Self.drawn(entry, row, lanes: devices.count) }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    private static func drawn(_ entry: Entry, _ row: Int, lanes: Int) -> [String] {
        let y = head + row * lineHeight + lineHeight / 2
        let color = color(entry.kind)
        var lines = [
            #"<text x="4" y="\#(y + 4)" fill="gray" font-size="10">\#(seconds(entry.time).trimmed)</text>"#
        ]
        let marked = entry.devices.isEmpty ? [] : entry.devices
        if let first = marked.min(), let last = marked.max(), first != last {
            lines.append(
                #"<line x1="\#(x(first))" y1="\#(y)" x2="\#(x(last))" y2="\#(y)" stroke="\#(color)" "#
                    + #"stroke-dasharray="4 3"/>"#)
        }
        for lane in marked { lines.append(#"<circle cx="\#(x(lane))" cy="\#(y)" r="4" fill="\#(color)"/>"#) }
        if marked.isEmpty {
            lines.append(
                #"<line x1="\#(x(0))" y1="\#(y)" x2="\#(x(max(0, lanes - 1)))" y2="\#(y)" stroke="\#(color)"/>"#)
        }
        let start = x(marked.max() ?? 0) + 10
        lines.append(
            #"<text x="\#(start)" y="\#(y + 4)" fill="\#(color)">\#(escaped(shortened(entry.text)))"#
                + "<title>\(escaped(entry.text))</title></text>")
        return lines
    }

    private static func x(_ lane: Int) -> Int { margin + lane * laneWidth }

    private static func color(_ kind: Entry.Kind) -> String {
        switch kind {
        case .step: "steelblue"
        case .fault: "orangered"
        case .file: "seagreen"
        case .words: "purple"
        case .note: "dimgray"
        case .finding: "crimson"
        case .reason: "black"
        }
    }

    private static func shortened(_ text: String) -> String { text.count > 60 ? text.prefix(59) + "…" : text }

    /// The text as XML writes it; characters that XML cannot hold become spaces.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension String {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
