#if canImport(UIKit) && !os(watchOS)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

/// Reports when the system sends the app to the background or is about to end it (UIKit, AppKit). There are no such
/// reports on Linux.
enum Suspension {
    /// Runs the body each time that happens; `nil` on systems without such a notification.
    static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        #if canImport(UIKit) && !os(watchOS)
            return Task {
                await withTaskGroup(of: Void.self) { group in
                    for name in [
                        UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
                        UIApplication.willTerminateNotification,
                    ] {
                        group.addTask {
                            for await _ in NotificationCenter.default.notifications(named: name) { await body() }
                        }
                    }
                }
            }
        #elseif canImport(AppKit)
            return Task {
                await withTaskGroup(of: Void.self) { group in
                    for name in [NSApplication.didResignActiveNotification, NSApplication.willTerminateNotification] {
                        group.addTask {
                            for await _ in NotificationCenter.default.notifications(named: name) { await body() }
                        }
                    }
                }
            }
        #else
            return nil
        #endif
    }
}
