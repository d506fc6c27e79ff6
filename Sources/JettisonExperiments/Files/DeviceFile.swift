public import JettisonCore
internal import JettisonSupport
internal import JettisonTraces

/// Reads a device from a YAML file with the keys of the device table.
///
/// ```yaml
/// name: my-phone
/// ram: 1GiB
/// reserve: 300MiB
/// thresholds: {warn: 20%, purge: 10%, until: 15%}
/// ```
///
/// Only `ram` is required; other keys default to those of a device without an era.
package enum DeviceFile {
  /// A line of a device file.
  private struct Line {
    let setting: Setting
    let text: String
    let place: YAMLPlace
  }

  private static let nested: Set<String> = {
    let prefixes = PressureParameters.all.map { String($0.key.prefix { $0 != "." }) }
    return Set(["budgets", "compression", "thresholds"] + prefixes)
  }()

  /// The device that a file describes.
  package static func read(_ path: String) throws(ExperimentError) -> Device {
    let entries = try YAMLFile.root(of: path)
    return try read(entries, path: path, name: TraceFormats.native.traceName(of: stem(path)))
  }

  /// A device as people write it: a name of the table, or the path of a device file.
  ///
  /// - Throws: What `error` makes of an unknown name, and ``ExperimentError/input(_:)`` for a
  ///   malformed file.
  static func device(
    _ text: String, error: (ConfigurationError) -> ExperimentError
  ) throws(ExperimentError) -> Device {
    if YAMLFile.isOne(text) || text.contains("/") { return try read(text) }
    do throws(ConfigurationError) {
      return try DeviceTable.device(named: text)
    } catch let found {
      throw error(found)
    }
  }

  /// The device that the header of a trace describes, with the keys of a device file.
  ///
  /// - Parameters:
  ///   - yaml: The mapping.
  ///   - path: The trace, for errors and for paths in the mapping.
  ///   - line: The line of the trace at which it stands, if known.
  package static func read(
    yaml: String, ofTrace path: String, line: Int?
  ) throws(ExperimentError) -> Device {
    let node: YAMLNode?
    do throws(TraceError) {
      node = try BoundedYAML.load(
        yaml, file: path, linesBefore: (line ?? 1) - 1, charactersBefore: "# device: ".count)
    } catch {
      throw .input(error)
    }
    return try read(node?.mapping ?? [], path: path, name: capturedName, isCaptured: true)
  }

  /// What a device is called that the header of a trace describes without a name.
  package static let capturedName = "captured"

  private static func read(
    _ entries: [YAMLEntry], path: String, name: String, isCaptured: Bool = false
  ) throws(ExperimentError) -> Device {
    var lines: [Line] = []
    for entry in entries {
      guard nested.contains(entry.key) else {
        lines.append(try line(entry, key: entry.key))
        continue
      }
      guard let inner = entry.value.mapping else {
        throw .input(
          entry.place.error("key '\(entry.key)' is not a mapping", "write 'key: value' pairs"))
      }
      for innerEntry in inner {
        lines.append(try line(innerEntry, key: "\(entry.key).\(innerEntry.key)"))
      }
    }
    return try device(lines, path: path, name: name, isCaptured: isCaptured)
  }

  private static func line(_ entry: YAMLEntry, key: String) throws(ExperimentError) -> Line {
    let setting: Setting
    do {
      setting = try Setting.named(key, in: [.device])
    } catch {
      throw .input(entry.place.error("\(error)"))
    }
    return Line(
      setting: setting, text: try YAMLFile.text(of: entry), place: entry.value.place)
  }

  private static func device(
    _ lines: [Line], path: String, name: String, isCaptured: Bool
  ) throws(ExperimentError) -> Device {
    let family = isCaptured ? captured(lines) : nil
    var blank = family ?? Device(name: name, ramBytes: 1, reserveBytes: 0, source: path)
    blank.name = name
    blank.source = path
    var configuration = RunConfiguration(device: blank, pressure: .thresholds, profiles: [])
    guard family != nil || lines.contains(where: { $0.setting.key == "ram" }) else {
      throw .input(
        TraceError(file: path, what: "key 'ram' is missing", remedy: "write 'ram: 1GiB'"))
    }
    // In the order of the table, so that the order of the lines in the file means nothing.
    for setting in Setting.all {
      for line in lines where line.setting.key == setting.key {
        do {
          try setting.apply(line.text, to: &configuration)
        } catch {
          throw .input(line.place.error("\(error)"))
        }
      }
    }
    var device = configuration.device
    if isCaptured, name == capturedName, device.name == name, let model = device.model {
      device.name = kebab(model) ?? name
    }
    device.tableRAMBytes = device.ramBytes
    device.pressureParameters.linux.oomdConfigurationPath = beside(
      path, device.pressureParameters.linux.oomdConfigurationPath)
    if let contradiction = device.contradiction(under: device.ownPressureModel) {
      let culprit = contradiction.keys.lazy
        .compactMap { key in lines.last { $0.setting.key == key } }.first
      throw .input(
        culprit?.place.error("\(contradiction.error)")
          ?? TraceError(file: path, what: "\(contradiction.error)"))
    }
    return device
  }

  /// What a device of the era is like, where a capture tells its era; nil: it does not.
  private static func captured(_ lines: [Line]) -> Device? {
    func text(_ key: String) -> String? { lines.last { $0.setting.key == key }?.text }
    guard let era = text("era").flatMap(Era.init) else { return nil }
    return DeviceTable.unlisted(era: era, ramBytes: text("ram").flatMap(SettingText.bytes))
  }

  /// `Pixel 3a XL` as names of devices are written, `pixel-3a-xl`; nil: no letter is left of it.
  private static func kebab(_ model: String) -> String? {
    let words = model.lowercased().split { character in
      !character.isASCII || !(character.isLetter || character.isNumber || character == ".")
    }
    let name = words.joined(separator: "-")
    return name.contains(where: \.isLetter) ? name : nil
  }

  /// A path that a file names, which is relative to it.
  private static func beside(_ file: String, _ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else {
      return path
    }
    return String(file[...slash]) + path
  }

  private static func stem(_ path: String) -> String {
    for suffix in [".yaml", ".yml"] where path.hasSuffix(suffix) {
      return String(path.dropLast(suffix.count))
    }
    return path
  }
}

extension Device {
  /// A device as the command line takes it: a name of the table, or the path of a device file.
  ///
  /// - Throws: ``ExperimentError`` for an unknown name, and a file that is missing or malformed.
  public static func reading(_ text: String) throws(ExperimentError) -> Device {
    try DeviceFile.device(text) { .value("device", $0) }
  }
}
