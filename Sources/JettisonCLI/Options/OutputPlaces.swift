internal import Foundation
internal import JettisonCore
internal import JettisonExperiments

/// Where results go: no place twice, for one result would replace the other.
enum OutputPlaces {
  /// Refuses places that two options name.
  ///
  /// - Parameters:
  ///   - files: Options with the file that each names.
  ///   - directories: Options with the directory that each names, whose files it chooses itself.
  static func check(
    files: [(option: String, path: String?)], directories: [(option: String, path: String?)]
  ) throws(ExperimentError) {
    let named = files.compactMap { file in file.path.map { (file.option, $0, plain($0)) } }
    for (place, (option, path, own)) in named.enumerated() {
      if let other = named[..<place].first(where: { $0.2 == own }) {
        throw error(option, path, "\(other.0) names it, too; name another file")
      }
      for (directory, folder) in directories {
        guard let folder, folder != "-" else { continue }
        let reports = plain(folder)
        if own == reports || (own as NSString).deletingLastPathComponent == reports,
          own == reports || reportNames.contains((own as NSString).lastPathComponent)
        {
          throw error(option, path, "\(directory) writes there, too; name another file")
        }
      }
    }
  }

  private static let reportNames: Set<String> = [
    "columns.md", "runs.csv", "summary.csv", "apps.csv", "comparison.csv", "events.csv",
    "decisions.csv", "footprints.csv", "savings.csv", "validation.csv", "validation-summary.csv",
    "canary.csv",
  ]

  /// A path without detours.
  private static func plain(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.path
  }

  private static func error(_ option: String, _ path: String, _ remedy: String) -> ExperimentError {
    .value(option, .invalid(what: "place", text: path, remedy: remedy))
  }
}
