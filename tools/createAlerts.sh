#!/bin/sh
# Creates the alerts of monitoring/alerts in the project PROJECT_ID, with gcloud. They write to EMAIL, and link to the runbook
# at REPOSITORY, such as https://github.com/YOU/YOUR_REPOSITORY/blob/main. The script can be run again: it skips what exists.
set -eu
export CLOUDSDK_CORE_PROJECT="${PROJECT_ID:?is not set}"
: "${EMAIL:?is not set}" "${REPOSITORY:?is not set}"

# Prints the first resource of a collection (`alpha monitoring policies`) with this display name, or nothing.
find_by_name() {
  # shellcheck disable=SC2086
  gcloud $1 list --filter="displayName=\"$2\"" --format='value(name)' --limit=1
}

CHANNEL=$(gcloud beta monitoring channels list --filter="labels.email_address=\"$EMAIL\"" --format='value(name)' --limit=1)
if [ -z "$CHANNEL" ]; then
  CHANNEL=$(gcloud beta monitoring channels create --display-name='On call' --type=email \
    --channel-labels="email_address=$EMAIL" --format='value(name)')
fi

if [ -z "$(find_by_name 'monitoring uptime' tattoo-api)" ]; then
  gcloud monitoring uptime create tattoo-api --resource-type=uptime-url \
    --resource-labels="host=$PROJECT_ID.web.app,project_id=$PROJECT_ID" --protocol=https \
    --path='/api/flash/artist/uptime-check/paginated?limit=1' --validate-ssl=true --period=5 --timeout=20
fi

# Counts all responses with 429, also the responses of Cloud Run itself.
gcloud logging metrics describe tattoo_429 > /dev/null 2>&1 ||
  gcloud logging metrics create tattoo_429 --description='Responses with 429' \
    --log-filter='resource.type="cloud_run_revision" AND log_id("run.googleapis.com/requests") AND httpRequest.status=429'

for POLICY in monitoring/alerts/*.json; do
  NAME=$(sed -n 's/^  "displayName": "\(.*\)",$/\1/p' "$POLICY")
  if [ -z "$(find_by_name 'alpha monitoring policies' "$NAME")" ]; then
    gcloud alpha monitoring policies create --notification-channels="$CHANNEL" \
      --policy="$(sed "s|docs/operating.md|$(printf %s "$REPOSITORY" | sed 's/[&|]/\\&/g')/&|" "$POLICY")"
  fi
done
