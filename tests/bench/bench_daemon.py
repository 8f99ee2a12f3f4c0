"""What `ankita daemon` costs while nothing happens: with 100 routines and 20 watches at their shortest interval,
beside a daemon that has nothing to do."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ankita_desktop.automation.automation import Automation
from ankita_desktop.store.database import Store
from ankita_desktop.store.settings import Settings
from ankita_desktop.toolkit.cancel import Cancel
from tests.automation.test_watches import Site

ROUTINES, WATCHES = 100, 20
WARM, MEASURED = 20.0, 60.0


def main() -> None:
    site = Site()
    site.body, site.etag = "<p>one</p>" * 200, '"1"'
    with tempfile.TemporaryDirectory() as folder:
        homes = {
            name: Path(folder) / name for name in ("nothing to do", f"{ROUTINES} routines, {WATCHES} watches")
        }
        fill(list(homes.values())[1], site)
        running = {name: daemon(home) for name, home in homes.items()}
        try:
            time.sleep(WARM)
            print(f"{'daemon':<30} {'processor':>10} {'memory':>8}   over {MEASURED:.0f} s")
            before = {name: used(process) for name, process in running.items()}
            time.sleep(MEASURED)
            for name, process in running.items():
                share = (used(process) - before[name]) / MEASURED
                print(f"{name:<30} {share:>10.2%} {memory(process):>5} MB")
        finally:
            for process in running.values():
                process.terminate()
                process.wait()
            site.close()


def fill(home: Path, site: Site) -> None:
    """Half of the watches look at a page that answers 304, half at a file."""
    home.mkdir()
    store, settings = Store(home / "data" / "ankita.db"), Settings(home / "config" / "settings.toml")
    automation = Automation(store, lambda: settings.values.automation)
    for number in range(ROUTINES):
        when = f"every day at {3 + number % 4}:{number % 60:02}"
        automation.routines.add(f"r{number}", f"do {number}", when, cwd=str(home))
    for number in range(WATCHES):
        file = home / f"file{number}"
        file.write_text("x" * 2_000)
        what = {"url": f"{site.url}{number}", "private": True} if number % 2 else {"path": str(file)}
        automation.watches.add(automation.watches.draft(every="15s", **what), Cancel())
    store.close()


def daemon(home: Path) -> subprocess.Popen[bytes]:
    env = {**os.environ, "ANKITA_HOME": str(home), "DBUS_SESSION_BUS_ADDRESS": "none:"}
    return subprocess.Popen([sys.executable, "-m", "ankita_desktop", "daemon"], env=env, stderr=subprocess.DEVNULL)


def used(process: subprocess.Popen[bytes]) -> float:
    """Seconds of a processor, those of ended children too."""
    import psutil

    times = psutil.Process(process.pid).cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)


def memory(process: subprocess.Popen[bytes]) -> int:
    import psutil

    return int(psutil.Process(process.pid).memory_info().rss >> 20)


if __name__ == "__main__":
    main()
