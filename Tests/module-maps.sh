# Sourced by scripts that compile against a build of Jettison, whose folder is $build: sets
# `module_maps` to the compiler's options for the C modules that its Swift modules import.
module_maps=()
for map in "$build"/*.build/module.modulemap Sources/*/module.modulemap \
  Sources/*/include/module.modulemap \
  "$(dirname "$build")"/checkouts/*/Sources/*/include/module.modulemap; do
  test ! -f "$map" || module_maps+=(-Xcc "-fmodule-map-file=$map")
done
