internal import Foundation
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports

/// Where results go: no place twice, for one result would replace the other, and no file that is read.
enum OutputPlaces {
  /// Refuses places that two options name, and files that are read.
  ///
  /// - Parameters:
  ///   - files: Options with the file that each names.
  ///   - directories: Options with the directory that each names, whose files it chooses itself.
  ///   - inputs: What is read; of a directory, the traces in it.
  static func check(
    files: [(option: String, path: String?)], directories: [(option: String, path: String?)] = [],
    inputs: [String]
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
    let isAnyAsked = !named.isEmpty || directories.contains { $0.path != nil }
    guard isAnyAsked else { return }
    let inputs = InputFiles(inputs)
    for (option, path, _) in named { try inputs.keep(from: path, option) }
    for (option, folder) in directories {
      if let folder { try inputs.keep(fromReportsIn: folder, option) }
    }
  }

  static let reportNames = Set(ColumnsDocument.files.map(\.name) + ["columns.md"])

  /// A path without detours.
  private static func plain(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.path
  }

  static func error(_ option: String, _ path: String, _ remedy: String) -> ExperimentError {
    .value(option, .invalid(what: "place", text: path, remedy: remedy))
  }
}
