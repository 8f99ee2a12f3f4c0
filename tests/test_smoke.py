"""The package can be imported and says its version."""

import ankita_desktop


def test_the_version_is_a_release_number() -> None:
    assert ankita_desktop.__version__.count(".") == 2
