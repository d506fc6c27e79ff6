/// What the killer remembers during a run.
struct LinuxState: ~Copyable {
  init(_ configuration: RunConfiguration) {}
}
