"""The embedded default model: works on a fresh machine with nothing set up."""

from ankita_desktop.models.offline.model import OfflineModel

__all__ = ["OfflineModel"]
