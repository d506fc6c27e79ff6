/// What the killer remembers during a run.
struct JetsamState: ~Copyable {
  init(_ configuration: RunConfiguration) {}
}
