/// What the system tells every app, by the names of UIKit's notifications.
enum LifeCycleMessage: CaseIterable, Sendable {
  case didBecomeActive, willResignActive, didEnterBackground, willEnterForeground
  case didReceiveMemoryWarning, willTerminate
  /// The device is locked: files with complete protection are about to be closed.
  case protectedDataWillBecomeUnavailable
}

extension AppRecorder {
  /// Writes what a message means.
  ///
  /// An app that is left first becomes inactive and then enters the background; one that is only
  /// interrupted becomes active again. A lock looks like leaving; the dark screen
  /// tells them apart.
  func take(_ message: LifeCycleMessage) {
    switch message {
    case .willEnterForeground, .didBecomeActive: launch()
    case .willResignActive: interrupt()
    case .didEnterBackground: leave()
    case .protectedDataWillBecomeUnavailable: lock()
    case .didReceiveMemoryWarning: memoryWarning()
    // Sent to a running app that the user ends; a suspended one is told nothing.
    case .willTerminate: quit()
    }
    if message != .willTerminate { sampleFootprint() }
  }
}
