// A file that imports the policies has the core, and so have all files here.
@_exported public import JettisonCore
