# Sourced by start, demo, test, deploy and run: prepares the project on a machine that only has Node 20 or newer and npm.
# Installs packages once, and again when the lock file has changed.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "Node.js 20 or newer (with npm) is required but was not found: see https://nodejs.org" >&2
  exit 1
fi
if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 20 ]; then
  echo "Node.js 20 or newer is required; this is $(node --version)" >&2
  exit 1
fi

lock=$(node -p 'require("crypto").createHash("sha256").update(require("fs").readFileSync("package-lock.json")).digest("hex")')
if [ "$(cat node_modules/.populus-lock 2>/dev/null)" != "$lock" ]; then
  echo "Installing packages (once, about a minute) …"
  if ! npm ci --no-audit --no-fund --loglevel=error >&2; then
    echo "The packages could not be installed; see npm's error above" >&2
    exit 1
  fi
  echo "$lock" >node_modules/.populus-lock
fi

# The project runs on its own Node, which npm has installed.
export PATH="$PWD/node_modules/.bin:$PATH"
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/compile}"
