#!/usr/bin/env bash
# Brings a machine to the point where `.venv/bin/ankita` runs. Safe to repeat: does nothing when nothing changed.
#   bootstrap.sh run    what the product needs
#   bootstrap.sh dev    also what its tests need
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-run}
python=${PYTHON:-python3}
venv=.venv

window_packages="libglib2.0-0 libegl1 libgl1 libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1
  libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0 libwayland-cursor0 libdbus-1-3 libfontconfig1 libportaudio2
  espeak-ng alsa-utils git python3-venv"
test_packages="xvfb openbox tint2 dunst dbus-x11 xdotool imagemagick fonts-noto-core fonts-noto-color-emoji
  fonts-dejavu-core procps bubblewrap pulseaudio pulseaudio-utils libasound2-plugins sox"

missing_packages() {
  local name there
  there=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | tr '\n' ' ') "
  for name in "$@"; do # a newer release may call the same library NAMEt64
    case $there in *" $name "* | *" ${name}t64 "*) ;; *) echo "$name" ;; esac
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif sudo -n true 2>/dev/null; then sudo "$@"; else return 1; fi
}

system_packages() {
  command -v apt-get >/dev/null || { echo "note: install Qt's system libraries with your package manager (xcb-util-cursor, libxkbcommon-x11, portaudio, espeak-ng)"; return 0; }
  local wanted=$window_packages missing
  [ "$mode" = dev ] && wanted="$wanted $test_packages"
  # shellcheck disable=SC2086
  missing=$(missing_packages $wanted | tr '\n' ' ')
  [ -z "${missing// /}" ] && return 0
  echo "installing system packages: $missing"
  # shellcheck disable=SC2086
  if as_root apt-get update -q >/dev/null && as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -q --no-install-recommends $missing >/dev/null; then return 0; fi
  echo "These system packages are missing, and installing them needs your password. Run this once, then try again:"
  echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing"
  [ "$mode" = run ] || exit 1
}

python_packages() {
  local stamp want
  stamp=$venv/.installed-$mode
  want=$(cksum pyproject.toml packaging/bootstrap.sh | cksum)
  [ -f "$stamp" ] && [ -x $venv/bin/ankita ] && [ "$(cat "$stamp")" = "$want" ] && return 0
  [ -x $venv/bin/python ] || "$python" -m venv $venv
  $venv/bin/python -m pip install -q --upgrade 'pip>=25.1'
  $venv/bin/python -m pip install -q -e '.[voice,voice-offline,voice-vosk,browser,mcp]'
  if [ "$mode" = dev ]; then $venv/bin/python -m pip install -q --group dev; fi
  echo "$want" >"$stamp"
  if [ "$mode" = dev ]; then echo "$want" >$venv/.installed-run; fi
}

system_packages
python_packages
