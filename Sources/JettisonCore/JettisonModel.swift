// A file that imports the core has the model, and so have all files here.
@_exported public import JettisonModel
