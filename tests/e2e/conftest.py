"""The window's fixtures serve the flows too."""

from tests.ui.conftest import desk, qt, quiet_qt

__all__ = ["desk", "qt", "quiet_qt"]
