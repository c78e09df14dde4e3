#!/bin/sh
# Creates the alerts of monitoring/alerts in the project P, by gcloud. They write to EMAIL, and link to the runbook at
# REPOSITORY, such as https://github.com/YOU/YOUR_REPOSITORY/blob/main.
set -eu
export CLOUDSDK_CORE_PROJECT="${P:?is not set}"
: "${EMAIL:?is not set}" "${REPOSITORY:?is not set}"

CHANNEL=$(gcloud beta monitoring channels create --display-name='On call' --type=email \
  --channel-labels="email_address=$EMAIL" --format='value(name)')
gcloud monitoring uptime create tattoo-api --resource-type=uptime-url --resource-labels="host=$P.web.app,project_id=$P" \
  --protocol=https --path='/api/flash/artist/uptime-check/paginated?limit=1' --validate-ssl=true --period=5 --timeout=20
# Also those that Cloud Run itself sends.
gcloud logging metrics create tattoo_429 --description='Responses with 429' \
  --log-filter='resource.type="cloud_run_revision" AND log_id("run.googleapis.com/requests") AND httpRequest.status=429'
for POLICY in monitoring/alerts/*.json; do
  gcloud alpha monitoring policies create --notification-channels="$CHANNEL" \
    --policy="$(sed "s|docs/operating.md|$REPOSITORY/&|" "$POLICY")"
done
