/// What the system tells every app, by the names of UIKit's notifications.
enum LifeCycleMessage: CaseIterable, Sendable {
  case didBecomeActive, willResignActive, didEnterBackground, willEnterForeground
  case didReceiveMemoryWarning, willTerminate
}

extension AppRecorder {
  /// Writes what a message means.
  ///
  /// An app that is left first becomes inactive and then enters the background; one that is only
  /// interrupted becomes active again.
  func take(_ message: LifeCycleMessage) {
    switch message {
    case .willEnterForeground, .didBecomeActive: launch()
    case .willResignActive: interrupt()
    case .didEnterBackground: home()
    case .didReceiveMemoryWarning: memoryWarning()
    // Sent to a running app that the user ends; a suspended one is told nothing.
    case .willTerminate: quit()
    }
    if message != .willTerminate { sampleFootprint() }
  }
}
