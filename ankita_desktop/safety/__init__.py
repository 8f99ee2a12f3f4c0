"""What keeps the person's things safe: the undo store and what judges risky calls."""
