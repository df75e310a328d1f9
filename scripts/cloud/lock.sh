# Sourced by deploy. One lock for both states of a project: an apply of the environment and one of the customers both read, change and write the
# access of the shared datasets, and at the same time each would undo what the other adds. Terraform locks one state only.

# take_lock WHAT: stops if another apply holds it. An apply that was killed leaves it: the message says how to remove it.
take_lock() {
  local lock="gs://$project-terraform-state/locks/apply" found
  holder="$1, by $(whoami) on $(hostname), process $$, since $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  printf '%s\n' "$holder" >"$work/lock"
  taking=$lock
  if ! gcloud storage cp "$work/lock" "$lock" --if-generation-match=0 --quiet 2>/dev/null; then
    found=$(gcloud storage cat "$lock" 2>/dev/null) || found=''
    taking=''
    [ -n "$found" ] || fail "" "The lock $lock cannot be taken: run scripts/bootstrap $project, or gcloud auth login"
    # gcloud repeats a request whose answer is lost: the second finds the lock of the first.
    [ "$found" = "$holder" ] || fail "" "Another apply is under way: $found" "If it has ended without removing its lock: gcloud storage rm $lock"
  fi
  locked=$lock taking=''
}

# take_checkout WHAT: stops if another run works in this folder. Two would share dist and Terraform's folders: one would build the image, or plan in the
# workspace, of the other, also where they deploy to different projects.
take_checkout() {
  local lock="$root/.local/deploy.lock" written="$root/.local/deploy.lock.$$"
  mkdir -p "$root/.local"
  # A link is made whole or not at all: on a full disk, or when killed, no lock without a holder stays.
  if ! printf '%s\n' "$1, by $(whoami), process $$, since $(date -u +%Y-%m-%dT%H:%M:%SZ)" 2>/dev/null >"$written" || ! ln "$written" "$lock" 2>/dev/null; then
    rm -f "$written"
    [ -e "$lock" ] || fail "The lock of this folder cannot be written: $lock"
    fail "Another run in this folder is under way: $(cat "$lock")" "If it has ended without removing its lock: rm '$lock'"
  fi
  checkout_locked=$lock
  rm -f "$written"
}

release_lock() {
  [ -z "${checkout_locked:-}" ] || rm -f "$checkout_locked"
  checkout_locked=''
  # A run that is stopped while it takes the lock may have it.
  [ -z "${taking:-}" ] || [ "$(gcloud storage cat "$taking" 2>/dev/null)" != "$holder" ] || locked=$taking
  taking=''
  [ -z "${locked:-}" ] || gcloud storage rm "$locked" --quiet >/dev/null 2>&1 || echo "The lock could not be removed: gcloud storage rm $locked" >&2
  locked=''
}
