# Sourced by start, demo, test, deploy and run: prepares the project on a machine that only has Node 20 or newer and npm.
# Installs packages once, and again when the lock file has changed.
if [ -z "${BASH_VERSION:-}" ]; then
  echo "scripts/setup.sh needs bash: it is a part of the other commands, see scripts/README.md" >&2
  exit 1
fi
# With it, `cd` would go to a folder of the same name elsewhere.
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# PATH ends a folder at a colon, and the others are read as patterns.
case $PWD in
  *[:\\*]*)
    echo "The project's folder is $PWD: its path must have no colon, backslash or asterisk. Move it, for example to ~/populus" >&2
    exit 1
    ;;
esac

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "Node.js 20 or newer (with npm) is required but was not found: see https://nodejs.org" >&2
  exit 1
fi
# In one process: every command waits for it.
about=$(node -p 'process.versions.node.split(".")[0] + " " + require("crypto").createHash("sha256").update(require("fs").readFileSync("package-lock.json")).digest("hex")')
lock=${about#* }
if [ "${about%% *}" -lt 20 ]; then
  echo "Node.js 20 or newer is required; this is $(node --version)" >&2
  exit 1
fi

# npm before 9.6.7 leaves out packages for the C library of a machine, and says nothing.
check_packages() {
  local failure npm advice
  if failure=$(node_modules/.bin/node -e 'try { require("@duckdb/node-api") } catch (error) { console.log(error.message.split("\n")[0]); process.exit(1) }'); then
    return
  fi
  npm=$(npm --version)
  if node -e 'const [a, b, c] = process.argv[1].split(".").map(Number); process.exit(a < 9 || (a === 9 && (b < 6 || (b === 6 && c < 7))) ? 0 : 1)' "$npm"; then
    advice="This is npm $npm. Versions before 9.6.7 leave out packages that are for the C library of this machine. Install a newer one
(npm install --global npm@latest), or Node.js 20.3 or newer, which brings one."
  else
    advice="They need Linux with glibc 2.28 or newer, or macOS, on x64 or arm64; this is $(uname -sm)."
  fi
  cat >&2 <<TEXT

The packages are installed, but do not work: $failure
$advice Then run the same command again.
TEXT
  exit 1
}

# Prints the folders of the packages that npm installs here: those of the lock file without the ones for other machines, and without what only these need.
packages_here() {
  node <<'JS'
const { packages } = JSON.parse(require("fs").readFileSync("package-lock.json", "utf8"));
const libc = process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
const fits = ({ os, cpu, libc: c }) => [[os, process.platform], [cpu, process.arch], [c, libc]].every(([list, own]) => !list || list.includes(own));
const parent = (path) => path.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, "");
const here = new Set();
const visit = (path) => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[path];
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })) {
    // A package is in the folder of the one that needs it, or in one further up.
    let from = path;
    while (from !== "" && !packages[`${from}/node_modules/${name}`]) from = parent(from);
    const found = `${from}${from && "/"}node_modules/${name}`;
    if (!packages[found] || !fits(packages[found]) || here.has(found)) continue;
    here.add(found);
    visit(found);
  }
};
visit("");
console.log([...here].join("\n"));
JS
}

# Installs the packages, and shows that this is alive: on a terminal in one line, in a log in a line every ten seconds.
install_packages() {
  local npm paths path total installed outcome=0 started=$SECONDS signalled=0 shown=$SECONDS
  paths=$(packages_here) || paths=
  total=$(wc -w <<<"$paths")
  echo "Installing packages (once, about a minute) …" >&2
  # In a process group of its own, which Ctrl-C does not reach: npm takes a minute to undo what it has done, in silence.
  set -m
  # The user's own settings (NODE_ENV=production, omit, package-lock, engine-strict) are for other projects: all packages are needed, on the project's Node.
  npm ci --include=dev --include=optional --package-lock --no-engine-strict --no-audit --no-fund --no-progress --loglevel=error </dev/null >&2 &
  npm=$!
  set +m
  trap 'signalled=130' INT
  trap 'signalled=143' TERM HUP
  while [ "$signalled" -eq 0 ] && kill -0 "$npm" 2>/dev/null; do
    sleep 1 || true
    if [ -t 2 ] || [ $((SECONDS - shown)) -ge 10 ]; then
      shown=$SECONDS
      installed=0
      for path in $paths; do
        if [ -e "$path/package.json" ]; then installed=$((installed + 1)); fi
      done
      if [ -t 2 ]; then printf '\r' >&2; fi
      printf '  %s s, %s of about %s packages' $((SECONDS - started)) "$installed" $((total)) >&2
      if [ ! -t 2 ]; then echo >&2; fi
    fi
  done
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
  if [ "$signalled" -ne 0 ]; then
    kill -KILL -- "-$npm" 2>/dev/null || true
    wait "$npm" 2>/dev/null || true
    rm -rf node_modules
    exit "$signalled"
  fi
  trap - INT TERM HUP
  wait "$npm" || outcome=$?
  # The one package whose script must run, where the user's settings let none run (ignore-scripts).
  if [ "$outcome" -eq 0 ] && ! node_modules/.bin/node --version >/dev/null 2>&1; then
    npm rebuild node --ignore-scripts=false --loglevel=error </dev/null >&2 || outcome=$?
    node_modules/.bin/node --version >/dev/null || outcome=$?
  fi
  if [ "$outcome" -eq 0 ]; then
    check_packages
    echo "Installed in $((SECONDS - started)) s" >&2
    return
  fi
  cat >&2 <<'TEXT'

The packages could not be installed. npm's error is above. If it names
  ENOTFOUND, EAI_AGAIN, ETIMEDOUT, ECONNREFUSED   npm's registry cannot be reached: check the network, and the proxy (npm config get proxy)
  EACCES, EROFS, ENOSPC                           the project's folder cannot be written, or its disk is full. If the path is of npm's cache, name a
                                                  folder that can be written: npm_config_cache=FOLDER
Then run the same command again.
TEXT
  exit 1
}

if [ "$(cat node_modules/.populus-lock 2>/dev/null)" != "$lock" ]; then
  install_packages
  echo "$lock" >node_modules/.populus-lock
fi

# The project runs on its own Node, which npm has installed.
export PATH="$PWD/node_modules/.bin:$PATH"
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/compile}"
# Where .local is by default, whatever folder the user stands in.
export POPULUS_ROOT=$PWD
# The local cloud is at addresses of this machine, which no proxy reaches. Programs read one of three names; each keeps the hosts that it has.
own_hosts=127.0.0.1,localhost
lower_case=${no_proxy:-${NO_PROXY:-}}
upper_case=${NO_PROXY:-${no_proxy:-}}
export no_proxy="$own_hosts${lower_case:+,$lower_case}" NO_PROXY="$own_hosts${upper_case:+,$upper_case}"
if [ -n "${no_grpc_proxy:-}" ]; then export no_grpc_proxy="$own_hosts,$no_grpc_proxy"; fi
