// Every policy speaks of the core, so all files here have it.
@_exported public import JettisonCore
