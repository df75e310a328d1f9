# Sourced by deploy. One lock for both states of a project: an apply of the environment and one of the customers both read, change and write the
# access of the shared datasets, and at the same time each would undo what the other adds. Terraform locks one state only.

# take_lock WHAT: stops if another apply holds it. An apply that was killed leaves it: the message says how to remove it.
take_lock() {
  local lock="gs://$project-terraform-state/locks/apply" holder
  holder="$1, by $(whoami) on $(hostname), process $$, since $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  printf '%s\n' "$holder" >"$work/lock"
  if ! gcloud storage cp "$work/lock" "$lock" --if-generation-match=0 --quiet 2>/dev/null; then
    holder=$(gcloud storage cat "$lock" 2>/dev/null) || fail "" "The lock $lock cannot be taken: run scripts/bootstrap $project, or gcloud auth login"
    fail "" "Another apply is under way: $holder" "If it has ended without removing its lock: gcloud storage rm $lock"
  fi
  locked=$lock
}

release_lock() {
  [ -z "${locked:-}" ] || gcloud storage rm "$locked" --quiet >/dev/null 2>&1 || echo "The lock could not be removed: gcloud storage rm $locked" >&2
  locked=''
}
