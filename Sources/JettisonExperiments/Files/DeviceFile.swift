package import JettisonCore
internal import Foundation
internal import Yams

/// Reads a device from a YAML file with the keys of the device table.
///
/// ```yaml
/// name: my-phone
/// ram: 1GiB
/// reserve: 300MiB
/// thresholds: {warn: 20%, purge: 10%, until: 15%}
/// ```
///
/// Only `ram` is required; what is left out has the defaults of a device without an era.
package enum DeviceFile {
  private static let nested: Set<String> = ["budgets", "compression", "thresholds"]

  /// The device that a file describes.
  package static func read(_ path: String) throws(ExperimentError) -> Device {
    let file = try YAMLFile(path: path)
    var written: [(setting: Setting, text: String, node: Node)] = []
    for (key, keyNode, value) in try file.entries(of: file.root) {
      guard nested.contains(key) else {
        written.append(try entry(key, keyNode, value, in: file))
        continue
      }
      guard case .mapping(let inner) = value else {
        throw file.error(.notMapping(what: "key '\(key)'"), at: keyNode)
      }
      for (innerKey, innerNode, innerValue) in try file.entries(of: inner) {
        written.append(try entry("\(key).\(innerKey)", innerNode, innerValue, in: file))
      }
    }
    guard written.contains(where: { $0.setting.key == "ram" }) else {
      throw .file(path: path, line: nil, .missingKey("ram"))
    }
    return try device(written, file: file)
  }

  private static func entry(
    _ key: String, _ keyNode: Node, _ value: Node, in file: YAMLFile
  ) throws(ExperimentError) -> (setting: Setting, text: String, node: Node) {
    do {
      let setting = try Setting.named(key, in: [.device])
      return (setting, try file.text(of: value, key: key), keyNode)
    } catch let error as ConfigurationError {
      throw file.error(.setting(error), at: keyNode)
    } catch let error as ExperimentError {
      throw error
    } catch {
      throw file.error(.syntax("\(error)"), at: keyNode)
    }
  }

  private static func device(
    _ written: [(setting: Setting, text: String, node: Node)], file: YAMLFile
  ) throws(ExperimentError) -> Device {
    let stem = URL(fileURLWithPath: file.path).deletingPathExtension().lastPathComponent
    let blank = Device(name: stem, ramBytes: 1, reserveBytes: 0, source: file.path)
    var configuration = RunConfiguration(device: blank, pressure: .thresholds, profiles: [])
    // In the order of the table, so that the order of the lines in the file means nothing.
    for setting in Setting.all {
      for entry in written where entry.setting.key == setting.key {
        do {
          try setting.apply(entry.text, to: &configuration)
        } catch {
          throw file.error(.setting(error), at: entry.node)
        }
      }
    }
    var device = configuration.device
    device.tableRAMBytes = device.ramBytes
    if let error = device.contradiction {
      throw .file(path: file.path, line: nil, .setting(error))
    }
    return device
  }
}
