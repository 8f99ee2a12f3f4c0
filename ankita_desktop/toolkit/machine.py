"""Facts of the machine, each part as {what: value in words}. Nothing here identifies the person."""

from __future__ import annotations

import os
import platform
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ankita_desktop.toolkit.changes import size_name


def system() -> dict[str, str]:
    import psutil

    started = psutil.boot_time()
    desktop = os.environ.get("XDG_CURRENT_DESKTOP", "").replace(":", ", ")
    session = os.environ.get("XDG_SESSION_TYPE", "")
    facts = {
        "name": _name(),
        "kernel": f"{platform.system()} {platform.release()} ({platform.machine()})",
        "host": socket.gethostname(),
        "desktop": ", ".join(filter(None, (desktop, session))),
        "on since": f"{time.strftime('%Y-%m-%d %H:%M', time.localtime(started))} ({_span(time.time() - started)})",
        "python": platform.python_version(),
    }
    return {key: value for key, value in facts.items() if value}


def _name() -> str:
    if mac := platform.mac_ver()[0]:
        return f"macOS {mac}"
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    except OSError:  # only Linux says it there
        return f"{platform.system()} {platform.release()}"


def _span(seconds: float) -> str:
    """ "3 days 4 h", "5 h 12 min", "8 min" """
    minutes = int(seconds // 60)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} day{'' if days == 1 else 's'} {hours} h"
    return f"{hours} h {rest} min" if hours else f"{rest} min"


def processor() -> dict[str, str]:
    import psutil

    cores, threads = psutil.cpu_count(logical=False), psutil.cpu_count()
    facts = {"model": _model(), "cores": f"{cores or '?'} cores, {threads or '?'} threads"}
    facts["busy now"] = f"{psutil.cpu_percent(interval=0.2):.0f} %"
    if hasattr(os, "getloadavg"):
        facts["load"] = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    return facts


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    except OSError:
        return platform.processor() or platform.machine()


def memory() -> dict[str, str]:
    import psutil

    ram, swap = psutil.virtual_memory(), psutil.swap_memory()
    facts = {"memory": f"{size_name(ram.available)} free of {size_name(ram.total)} ({ram.percent:.0f} % used)"}
    if swap.total:
        facts["swap"] = f"{size_name(swap.used)} used of {size_name(swap.total)}"
    return facts


def disks() -> dict[str, str]:
    """Every disk once, at the shortest place where it is seen."""
    import psutil

    seen: dict[str, str] = {}
    for part in sorted(psutil.disk_partitions(all=False), key=lambda each: len(each.mountpoint)):
        seen.setdefault(part.device, part.mountpoint)
    places = list(dict.fromkeys(seen.values())) or [str(Path.home())]
    return {place: facts for place in places if (facts := _room(place))}


def _room(place: str) -> str:
    import psutil

    try:
        use = psutil.disk_usage(place)
    except OSError:  # an empty drive, or not ours to see
        return ""
    return f"{size_name(use.free)} free of {size_name(use.total)} ({use.percent:.0f} % used)"


def network() -> dict[str, str]:
    import psutil

    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    facts = {}
    for name, addresses in psutil.net_if_addrs().items():
        shown = [each.address.partition("%")[0] for each in addresses if each.family in _IP]
        if name in up and shown:
            facts[name] = ", ".join(shown)
    return facts


_IP = (socket.AF_INET, socket.AF_INET6)


def battery() -> dict[str, str]:
    """Empty where there is none."""
    import psutil

    try:
        state = psutil.sensors_battery() if hasattr(psutil, "sensors_battery") else None
    except (OSError, RuntimeError):
        state = None
    if state is None:
        return {}
    left = "" if state.power_plugged or state.secsleft < 0 else f", about {_span(state.secsleft)} left"
    return {"charge": f"{state.percent:.0f} %, {'plugged in' if state.power_plugged else 'on battery'}{left}"}


FACTS: Mapping[str, Callable[[], dict[str, str]]] = {
    "system": system,
    "processor": processor,
    "memory": memory,
    "disks": disks,
    "network": network,
    "battery": battery,
}
