# Shell functions shared by ./demo, ./test and ./bench: packages, configuration, compilation. Sourced, not run.

packages=(g++ cmake ninja-build libeigen3-dev libpugixml-dev libcli11-dev libfmt-dev libminizip-dev zlib1g-dev
          libgtest-dev libxml2-utils)

# Runs a command silently; if it fails, its output is shown.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# Installs the Debian packages that are missing, by name. Elsewhere the build itself says what it does not find.
install_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing=() package
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "missing packages; as root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}"
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
                 apt-get install -y --no-install-recommends "${missing[@]}")
  # package lists may be old or absent: only then are they fetched
  "${install[@]}" >/dev/null 2>&1 || { quietly "${as_root[@]}" apt-get update && quietly "${install[@]}"; }
}

# configure FOLDER [cmake options]
configure() {
  local folder=$1
  shift
  quietly cmake -S . -B "$folder" -G Ninja "$@"
}

# compile FOLDER [targets]; nothing is printed unless it fails.
compile() {
  local folder=$1
  shift
  quietly cmake --build "$folder" -j "$(nproc)" ${1:+--target "$@"}
}

# Warnings are errors with the compiler that the project is developed with; a newer one may know new warnings.
werror_for_this_compiler() {
  local version
  version=$("${CXX:-g++}" -dumpversion 2>/dev/null) || version=0
  [[ ${version%%.*} == 12 ]] && echo ON || echo OFF
}
