#!/bin/sh
# Puts Debian's prometheus and promtool into cache/, for the test that has a real Prometheus ask every query of ops/.
# No root: the package is fetched with apt's own signatures checked, and unpacked, not installed. Ends with 1 and a reason where that can't be.
set -eu
cd "$(dirname "$0")"
cache=$PWD/cache
[ -x "$cache/prometheus" ] && exit 0

refuse() {
  echo "prometheus is not fetched: $1" >&2
  exit 1
}
for program in apt-get dpkg-deb timeout tar; do
  command -v "$program" > /dev/null || refuse "there is no $program here"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/package"
chmod -R a+rX "$work"
# Bounded, for a machine whose network swallows packets.
apt() {
  timeout 120 apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o APT::Sandbox::User="$(id -un)" "$@" 2>&1
}
# The machine's own package lists where it has them; else, as in most images, lists of our own.
fetch() {
  (cd "$work" && apt "$@" download prometheus)
}
own="-o Dir::State::lists=$work/lists -o Dir::Cache=$work"
# shellcheck disable=SC2086 # options, to be split
said=$(fetch) || said=$(apt $own update && fetch $own) || refuse "$(printf '%s' "$said" | tail -n 3)"

dpkg-deb --extract "$work"/prometheus_*.deb "$work/package"
mkdir -p "$cache"
cp "$work/package/usr/bin/promtool" "$cache/"
# Last, and whole at once: its being there says that all is.
cp "$work/package/usr/bin/prometheus" "$cache/prometheus.part"
mv "$cache/prometheus.part" "$cache/prometheus"
"$cache/prometheus" --version 2>&1 | head -n 1
