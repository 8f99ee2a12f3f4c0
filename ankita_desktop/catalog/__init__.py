"""Which tools exist and which a sentence means."""
