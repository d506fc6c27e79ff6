/// Apple's product identifiers (`iPhone14,2`), by the devices of ``DeviceTable``.
///
/// Source: the lists of models that developers keep, such as theapplewiki.com ("Models"). Products
/// that are not in the device table have no row: no device is better than a wrong one.
enum AppleProduct {
  /// The name of the device that a product is; nil if the device table does not have it.
  static func device(of product: String) -> String? {
    devices.first { $0.products.contains(product) }?.name
  }

  /// Each device and its products.
  static let devices: [(name: String, products: [String])] = [
    ("iphone-3g", ["iPhone1,2"]),
    ("iphone-3gs", ["iPhone2,1"]),
    ("iphone-4", ["iPhone3,1", "iPhone3,2", "iPhone3,3"]),
    ("iphone-4s", ["iPhone4,1"]),
    ("iphone-5", ["iPhone5,1", "iPhone5,2"]),
    ("iphone-5s", ["iPhone6,1", "iPhone6,2"]),
    ("iphone-6", ["iPhone7,2"]),
    ("iphone-6-plus", ["iPhone7,1"]),
    ("iphone-6s", ["iPhone8,1"]),
    ("iphone-6s-plus", ["iPhone8,2"]),
    ("iphone-se", ["iPhone8,4"]),
    ("iphone-7", ["iPhone9,1", "iPhone9,3"]),
    ("iphone-7-plus", ["iPhone9,2", "iPhone9,4"]),
    ("iphone-8", ["iPhone10,1", "iPhone10,4"]),
    ("iphone-x", ["iPhone10,3", "iPhone10,6"]),
    ("iphone-xr", ["iPhone11,8"]),
    ("iphone-xs", ["iPhone11,2"]),
    ("iphone-xs-max", ["iPhone11,4", "iPhone11,6"]),
    ("iphone-11", ["iPhone12,1"]),
    ("iphone-11-pro-max", ["iPhone12,5"]),
    ("iphone-12", ["iPhone13,2"]),
    ("iphone-13", ["iPhone14,5"]),
    ("iphone-13-pro", ["iPhone14,2"]),
    ("iphone-15-pro", ["iPhone16,1"]),
    ("iphone-15-pro-max", ["iPhone16,2"]),
    ("ipod-touch-4g", ["iPod4,1"]),
    ("ipod-touch-5g", ["iPod5,1"]),
    ("ipad-1", ["iPad1,1"]),
    ("ipad-2", ["iPad2,1", "iPad2,2", "iPad2,3", "iPad2,4"]),
    ("ipad-mini-1", ["iPad2,5", "iPad2,6", "iPad2,7"]),
    ("ipad-3", ["iPad3,1", "iPad3,2", "iPad3,3"]),
    ("ipad-4", ["iPad3,4", "iPad3,5", "iPad3,6"]),
    ("ipad-air", ["iPad4,1", "iPad4,2", "iPad4,3"]),
    ("ipad-mini-2", ["iPad4,4", "iPad4,5", "iPad4,6"]),
    ("ipad-air-2", ["iPad5,3", "iPad5,4"]),
    ("ipad-pro-9.7", ["iPad6,3", "iPad6,4"]),
    ("ipad-pro-12.9-2015", ["iPad6,7", "iPad6,8"]),
    ("ipad-pro-12.9-2017", ["iPad7,1", "iPad7,2"]),
    ("ipad-pro-10.5", ["iPad7,3", "iPad7,4"]),
    ("ipad-10.2", ["iPad7,11", "iPad7,12"]),
    ("ipad-pro-11-2018", ["iPad8,1", "iPad8,2", "iPad8,3", "iPad8,4"]),
    ("ipad-pro-12.9-2018", ["iPad8,5", "iPad8,6", "iPad8,7", "iPad8,8"]),
    (
      "ipad-pro-m1",
      [
        "iPad13,4", "iPad13,5", "iPad13,6", "iPad13,7", "iPad13,8", "iPad13,9", "iPad13,10",
        "iPad13,11",
      ]
    ),
    ("ipad-pro-2022", ["iPad14,3", "iPad14,4", "iPad14,5", "iPad14,6"]),
  ]
}
