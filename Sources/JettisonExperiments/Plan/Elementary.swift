internal import Foundation

/// The three functions of the C library that draws need.
enum Elementary {
  static func log(_ x: Double) -> Double { Foundation.log(x) }
  static func cos(_ x: Double) -> Double { Foundation.cos(x) }
  static func exp(_ x: Double) -> Double { Foundation.exp(x) }
}
