"""Which tools exist, and which of them a sentence means."""

from ankita_desktop.catalog.catalogue import ToolCatalogue, open_catalogue

__all__ = ["ToolCatalogue", "open_catalogue"]
