/// Makes texts from files and other devices safe to print to a terminal.
package enum PlainText {
    /// The text on one line, at most 500 Unicode scalars, without control and format characters. So it can neither move
    /// the cursor nor change the writing direction. What is longer ends with a whole word, where words are short.
    package static func line(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= 500 else {
                if let space = result.suffix(80).lastIndex(of: " ") { result.removeSubrange(space...) }
                result.append(contentsOf: " …".unicodeScalars)
                break
            }
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: result.append(" ")
            default: if isShown(scalar) { result.append(scalar) }
            }
        }
        return String(result)
    }

    /// JSON text with every control and format character as an escape: the same value, safe to print.
    package static func json(_ bytes: [UInt8]) -> String {
        var result = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if isShown(scalar) || scalar == "\n" || scalar == "\t" || scalar == "\r" {
                result.unicodeScalars.append(scalar)
            } else if scalar.value != 0xFEFF || !result.isEmpty {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // The zero width joiner of emoji is harmless. All other format characters are invisible or change the
        // direction.
        case .format: scalar.value == 0x200D
        default: true
        }
    }
}
