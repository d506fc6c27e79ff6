internal import Foundation
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport

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
    try keep(inputs, from: files, directories)
  }

  /// Refuses results that would replace what they come from.
  private static func keep(
    _ inputs: [String], from files: [(option: String, path: String?)],
    _ directories: [(option: String, path: String?)]
  ) throws(ExperimentError) {
    // What cannot be listed is told when it is read.
    let inputs = inputs.flatMap { (try? TraceCollection.files([$0])) ?? [] }
    for (option, path) in files {
      guard let path, inputs.contains(where: { FileSystem.isSameFile($0, path) }) else { continue }
      throw error(option, path, "it is read, too; name another file")
    }
    for (option, folder) in directories {
      guard let folder else { continue }
      for name in reportNames.sorted() {
        let path = (folder as NSString).appendingPathComponent(name)
        guard let input = inputs.first(where: { FileSystem.isSameFile($0, path) }) else { continue }
        throw error(option, folder, "'\(input)' in it is read, too; name another directory")
      }
    }
  }

  private static let reportNames = Set(ColumnsDocument.files.map(\.name) + ["columns.md"])

  /// A path without detours.
  private static func plain(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.path
  }

  private static func error(_ option: String, _ path: String, _ remedy: String) -> ExperimentError {
    .value(option, .invalid(what: "place", text: path, remedy: remedy))
  }
}
