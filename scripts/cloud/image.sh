# Sourced by deploy. The one image of all functions: found by its content, copied from the project where it was tested, or built.

# json_value FILE MEMBER…: prints a member of a JSON file, nothing if it is not there.
json_value() {
  node -e 'const [file, ...path] = process.argv.slice(1);
    const value = path.reduce((found, name) => found?.[name], JSON.parse(require("node:fs").readFileSync(file, "utf8") || "null"));
    if (value !== undefined && value !== null) console.log(typeof value === "string" ? value : JSON.stringify(value));' "$@"
}

# digest_of IMAGE:TAG: prints its digest, nothing if the registry does not have it. Stops if the registry does not say so.
digest_of() {
  gcloud artifacts docker images describe "$1" --format='value(image_summary.digest)' 2>"$work/refusal" && return
  grep -q 'Image not found' "$work/refusal" || fail "$(cat "$work/refusal")" "" "The registry cannot be asked for $1: nothing was deployed"
}

# find_image: sets `name`, `tag` and `digest` (empty if the registry does not have it) of what `npm run bundle` wrote. Reads `deployment`, a file.
find_image() {
  name=$(json_value "$deployment" image)
  tag=$(json_value dist/manifest.json image)
  [ -n "$tag" ] || fail "dist/manifest.json names no image: npm run bundle writes it"
  digest=$(digest_of "$name:$tag")
}

# make_image: copies or builds what find_image did not find. Sets `digest`.
make_image() {
  if [ -n "$promote_from" ]; then
    local source="${name/\/$project\//\/$promote_from\/}" built
    built=$(digest_of "$source:$tag")
    [ -n "$built" ] || fail "" "$promote_from has no image of this commit ($source:$tag): deploy the commit there first. Nothing was deployed"
    gcrane cp "$source@$built" "$name:$tag" || fail "" "The image could not be copied: nothing was deployed. You need roles/artifactregistry.reader in $promote_from"
    digest=$(digest_of "$name:$tag")
    [ "$digest" = "$built" ] || fail "" "$name:$tag is ${digest:-missing}, and was $built in $promote_from: nothing was deployed"
  else
    gcloud builds submit dist/image --project="$project" --region="$region" --config=scripts/image/cloudbuild.yaml \
      --service-account="$(json_value "$deployment" service_account)" --gcs-source-staging-dir="$(json_value "$deployment" sources)" \
      --substitutions="_IMAGE=$name:$tag" || fail "" "The image could not be built: nothing was deployed"
    digest=$(digest_of "$name:$tag")
    [ -n "$digest" ] || fail "" "The image was built, and $name:$tag is not in the registry: nothing was deployed"
  fi
}

# check_scan: waits for the scan of the image, and asks if it found what has a fix.
check_scan() {
  local until=$((SECONDS + ${SCAN_PATIENCE:-300})) outcome
  while :; do
    outcome=0
    gcloud artifacts docker images describe "$name@$digest" --show-package-vulnerability --format=json \
      | node --disable-warning=ExperimentalWarning scripts/cloud/check-scan.ts || outcome=$?
    case $outcome in
      0) return ;;
      1) confirm no "$environment" "Deploy it nevertheless?"; return ;;
      3) [ "$SECONDS" -lt "$until" ] || fail "" "The image is not scanned: is containerscanning.googleapis.com enabled? scripts/bootstrap enables it. Nothing was deployed" ;;
      *) fail "" "The scan of the image cannot be read: nothing was deployed" ;;
    esac
    sleep 10
  done
}
