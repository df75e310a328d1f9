# Sourced by deploy. Moves traffic to what an apply has created.

# traffic VERB …: scripts/cloud/traffic.ts in the environment's project.
traffic() {
  node --disable-warning=ExperimentalWarning scripts/cloud/traffic.ts "$@" --project "$project" --region "$region"
}

smoke() {
  node --disable-warning=ExperimentalWarning scripts/smoke.ts --outputs "$work/outputs.json" --patience "${SMOKE_PATIENCE:-300}" "$@"
}

# release: tests the newest revisions under the candidate's hosts, then switches workers and schedules, and moves endpoints in two steps.
# Reads `work/before.json` (shares before) and `work/outputs.json`.
release() {
  if [ "$(cat "$work/before.json")" = '{}' ]; then return; fi # the first deployment: each service serves its only revision
  if [ -n "$(json_value "$work/outputs.json" candidate_base_urls)" ]; then
    step "Smoke test of the release, which has no traffic yet"
    traffic tag || fail "" "The release could not be given its tag. It has no traffic: deploy again"
    smoke --candidate || fail "" "The smoke test of the release failed. It has no traffic, and the running version is not affected: fix it, and deploy again"
  fi
  step "Workers and schedules"
  traffic switch || fail_back "Workers could not be switched"
  local since
  since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  step "5 % of the requests, for ${SOAK_SECONDS:-300} seconds"
  traffic share --percent 5 || fail_back "The first traffic could not be moved"
  sleep "${SOAK_SECONDS:-300}"
  traffic errors --since "$since" || fail_back "The release answered with errors"
  step "All requests"
  traffic share --percent 100 || fail_back "The traffic could not be moved"
}

# fail_back WHAT: gives every service the shares that it had before.
fail_back() {
  traffic undo --before "$work/before.json" || fail "" "$1, and traffic could not be moved back: scripts/deploy $environment --to COMMIT"
  fail "" "$1: traffic is as it was before. The tables keep what was added. Fix it, and deploy again"
}
