print("jettison")
