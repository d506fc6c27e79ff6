#if canImport(UIKit) && !os(watchOS)
  public import Foundation
  internal import UIKit

  extension AppRecorder {
    @MainActor private static let messages: [(Notification.Name, LifeCycleMessage)] = [
      (UIApplication.didBecomeActiveNotification, .didBecomeActive),
      (UIApplication.willResignActiveNotification, .willResignActive),
      (UIApplication.didEnterBackgroundNotification, .didEnterBackground),
      (UIApplication.willEnterForegroundNotification, .willEnterForeground),
      (UIApplication.didReceiveMemoryWarningNotification, .didReceiveMemoryWarning),
      (UIApplication.willTerminateNotification, .willTerminate),
      (
        UIApplication.protectedDataWillBecomeUnavailableNotification,
        .protectedDataWillBecomeUnavailable
      ),
    ]

    /// Whether the screen is dark: when an app enters the background, only a lock has made it so
    /// (observed from iOS 7 on, Stack Overflow 19452696).
    private static let isScreenDark: @Sendable () -> Bool = {
      guard Thread.isMainThread else { return false }
      return MainActor.assumeIsolated { UIScreen.main.brightness <= 0 }
    }

    /// Writes what the system tells of the device and of scenes.
    @MainActor private func observeDevice() {
      let center = NotificationCenter.default
      func observe(_ name: Notification.Name, _ kind: String, _ value: String? = nil) {
        _ = center.addObserver(forName: name, object: nil, queue: nil) { _ in
          self.deviceChange(kind, to: value)
        }
      }
      observe(UIApplication.significantTimeChangeNotification, "time")
      observe(NSLocale.currentLocaleDidChangeNotification, "locale")
      observe(UIDevice.batteryStateDidChangeNotification, "battery")
      observe(UIScreen.didConnectNotification, "display", "connected")
      observe(UIScreen.didDisconnectNotification, "display", "disconnected")
      observe(UIScene.willConnectNotification, "scene", "connected")
      observe(UIScene.didDisconnectNotification, "scene", "disconnected")
      _ = center.addObserver(
        forName: UIDevice.orientationDidChangeNotification, object: nil, queue: .main
      ) { _ in
        let isLandscape = MainActor.assumeIsolated { UIDevice.current.orientation.isLandscape }
        self.deviceChange("orientation", to: isLandscape ? "landscape" : "portrait")
      }
    }
  }
#elseif canImport(AppKit)
  internal import AppKit
  public import Foundation

  extension AppRecorder {
    @MainActor private static let messages: [(Notification.Name, LifeCycleMessage)] = [
      (NSApplication.didBecomeActiveNotification, .didBecomeActive),
      (NSApplication.didResignActiveNotification, .willResignActive),
      (NSApplication.didHideNotification, .didEnterBackground),
      (NSApplication.willTerminateNotification, .willTerminate),
    ]

    /// A lock leaves apps of macOS as they are.
    private static let isScreenDark: @Sendable () -> Bool = { false }

    @MainActor private func observeDevice() {}
  }
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  extension AppRecorder {
    /// The recorder of this process, which lives as long as the process.
    @MainActor private static var current: AppRecorder?

    /// Records this app from now on; call it when the app has started, for example in
    /// `application(_:didFinishLaunchingWithOptions:)` or in the initialiser of the `App`.
    ///
    /// A second call returns the recorder of the first. Recording never harms the app: if it cannot
    /// begin, the result is nil.
    ///
    /// - Parameters:
    ///   - file: Where to record; nil: `Jettison/<bundle identifier>.csv` in the app's folder for
    ///     application support. Keep it out of containers that are shared with extensions.
    ///   - configure: Changes the settings, for example the category.
    @MainActor @discardableResult
    public static func start(
      _ file: URL? = nil, configure: (inout RecorderSettings) -> Void = { _ in }
    ) -> AppRecorder? {
      if let current { return current }
      var settings = RecorderSettings(app: Bundle.main.bundleIdentifier ?? "app")
      settings.source = description
      configure(&settings)
      guard let path = (file ?? defaultFile(settings.app))?.path,
        let recorder = try? AppRecorder(
          path: path, settings: settings, seesLock: isScreenDark)
      else { return nil }
      for (name, message) in messages {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
          recorder.take(message)
        }
      }
      recorder.observeDevice()
      recorder.startSampling()
      current = recorder
      return recorder
    }

    /// Hardware, system and version of the app.
    private static var description: String {
      let facts = Bundle.main.infoDictionary ?? [:]
      let version = facts["CFBundleShortVersionString"] as? String ?? "?"
      let build = facts["CFBundleVersion"] as? String ?? "?"
      let os = ProcessInfo.processInfo.operatingSystemVersionString
      return "\(HostFacts.hardware), \(os), version \(version) (\(build))"
    }

    private static func defaultFile(_ app: String) -> URL? {
      let manager = FileManager.default
      guard
        let support = try? manager.url(
          for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil,
          create: true)
      else { return nil }
      let folder = support.appendingPathComponent("Jettison", isDirectory: true)
      try? manager.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder.appendingPathComponent("\(app).csv")
    }
  }
#endif
