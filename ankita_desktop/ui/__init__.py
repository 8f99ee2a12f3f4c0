"""Everything that imports PySide6."""
