"""Ankita Desktop: an assistant for one person's machine, in a window, a terminal or by voice."""

__version__ = "0.1.0"
