# Sourced by bootstrap and deploy.

# Ends the script with a text, and more lines of it.
fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

step() {
  printf '\n— %s\n' "$1"
}

# need PROGRAM WHERE
need() {
  command -v "$1" >/dev/null || fail "$1 is needed and was not found: $2"
}

terraform_is_new_enough() {
  local version
  version=$(terraform version -json | sed -n 's/.*"terraform_version": *"\([0-9]*\.[0-9]*\).*/\1/p')
  [ -n "$version" ] || fail "terraform does not tell its version"
  [ "${version%%.*}" -gt 1 ] || [ "${version#*.}" -ge 11 ] || fail "Terraform 1.11 or newer is needed; this is $version"
}

# confirm YES WORD QUESTION: goes on when YES is yes, or the word is typed.
confirm() {
  [ "$1" = yes ] && return
  local answer=''
  printf '\n%s Type %s: ' "$3" "$2"
  read -r answer || true
  [ "$answer" = "$2" ] || fail "" "Nothing was done"
}
