#!/bin/sh
# Writes ../Generated/perfetto.pb.swift from perfetto.proto. Needs protoc (Debian: protobuf-compiler)
# and, on the path, protoc-gen-swift of the swift-protobuf release that Package.swift names:
#   git clone --branch 1.39.0 https://github.com/apple/swift-protobuf
#   swift build -c release --package-path swift-protobuf --product protoc-gen-swift
set -eu
cd "$(dirname "$0")"
protoc --swift_out=../Generated --swift_opt=Visibility=Package \
  --swift_opt=UseAccessLevelOnImports=true perfetto.proto
