"""What is kept: SQLite, settings, secrets."""
