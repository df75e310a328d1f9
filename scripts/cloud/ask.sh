# Sourced by bootstrap and deploy.

# Prints its arguments to standard error, one per line, and exits with 1.
fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

step() {
  printf '\n— %s\n' "$1"
}

# value OPTION WHAT GIVEN: stops if an option was given no value, as by a variable that is not set.
value() {
  case $3 in
    '' | -*) fail "$1 names no $2" ;;
  esac
}

# need PROGRAM WHERE
need() {
  command -v "$1" >/dev/null || fail "$1 is required but was not found: $2"
}

terraform_is_new_enough() {
  local version
  version=$(terraform version -json | sed -n 's/.*"terraform_version": *"\([0-9]*\.[0-9]*\).*/\1/p')
  [ -n "$version" ] || fail "The version of terraform is unknown"
  [ "${version%%.*}" -gt 1 ] || [ "${version#*.}" -ge 11 ] || fail "Terraform 1.11 or newer is required; this is $version"
}

# confirm YES WORD QUESTION: continues if YES is yes or the operator types WORD.
confirm() {
  [ "$1" = yes ] && return
  local answer=''
  printf '\n%s Type %s: ' "$3" "$2"
  read -r answer || true
  [ "$answer" = "$2" ] || fail "" "Nothing was done"
}

LOCKED_PLATFORMS=(linux_amd64 linux_arm64 darwin_amd64 darwin_arm64)

# is_locked ROOT: whether ROOT/.terraform.lock.hcl has a hash (h1) of each provider for each platform. An init writes only that of its own.
is_locked() {
  local file="$1/.terraform.lock.hcl"
  [ -f "$file" ] && [ "$(grep -c '"h1:' "$file")" -ge $(($(grep -c '^provider ' "$file") * ${#LOCKED_PLATFORMS[@]})) ]
}

# lock_providers ROOT: writes ROOT/.terraform.lock.hcl for all platforms, or adds what it lacks. Asks Terraform's registry.
lock_providers() {
  terraform -chdir="$1" init -backend=false -input=false >/dev/null \
    && terraform -chdir="$1" providers lock "${LOCKED_PLATFORMS[@]/#/-platform=}" >/dev/null
}
