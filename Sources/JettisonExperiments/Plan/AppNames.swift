package import JettisonCore
internal import JettisonTraces

/// The apps that traces know, to look up those that a user names.
package struct AppNames {
  /// All of them, in order of first appearance.
  package let all: [String]
  private let known: Set<String>

  /// Takes the apps of traces.
  package init(_ traces: [LoadedTrace]) {
    var known: Set<String> = []
    var all: [String] = []
    for name in traces.flatMap(\.trace.apps) where known.insert(name).inserted { all.append(name) }
    self.known = known
    self.all = all
  }

  /// Whether a trace has the app.
  package func contains(_ name: String) -> Bool { known.contains(name) }

  /// The error about an app that none has, with the names that come nearest.
  package func unknown(_ name: String) -> ConfigurationError {
    .unknown(what: "app", name: name, known: all)
  }
}
