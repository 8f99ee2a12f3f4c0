"""The terminal front end: one module per command. Nothing here imports Qt."""
