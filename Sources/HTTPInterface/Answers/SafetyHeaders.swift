/// The headers of every answer, whatever it is.
enum SafetyHeaders {
    /// The page takes scripts, styles, pictures and answers from its own server and from nobody else, none of them from
    /// within the document, and it is shown in no frame. A browser that knows trusted types refuses to make elements from a
    /// text, so that a name is never more than text.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")

    /// There is no `cross-origin-opener-policy`: with it the browser starts a further process each time the page is opened,
    /// before it paints anything. A page that another site has opened has no session (``Keys``), listens to no messages of
    /// other windows and has no frames, so its opener learns nothing.
    static let all: [(name: String, value: String)] = [
        ("content-security-policy", policy),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ]
}
