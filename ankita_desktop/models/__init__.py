"""One file per wire protocol, and the models that need no wire."""
