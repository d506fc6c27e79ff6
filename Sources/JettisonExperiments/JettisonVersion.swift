/// The version that reports and `--version` name.
package enum JettisonVersion {
  /// Semantic version.
  package static let text = "0.1.0"
}
