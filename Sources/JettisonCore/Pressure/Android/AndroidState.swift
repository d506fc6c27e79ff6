/// What the killer remembers during a run.
struct AndroidState: ~Copyable {
  init(_ configuration: RunConfiguration) {}
}
