#!/bin/sh
# Creates the uptime check, metrics, alerts and dashboard of monitoring/ in the project PROJECT_ID, with gcloud. The alerts
# write to EMAIL, and link to the runbook at REPOSITORY, such as https://github.com/YOU/YOUR_REPOSITORY/blob/main.
# Optional: BUDGET is an amount of money a month, in the currency of the billing account. Emails then tell when 50, 90 and
# 100 % of it are spent. BILLING is the billing account; by default that of the project.
# The script can be run again: it updates what exists. Run it again after adding or removing an endpoint.
set -eu
export CLOUDSDK_CORE_PROJECT="${PROJECT_ID:?is not set}"
: "${EMAIL:?is not set}" "${REPOSITORY:?is not set}"

# Prints the first resource that a command (`monitoring dashboards list`) lists with this display name, or nothing.
find_by_name() {
  # shellcheck disable=SC2086
  gcloud $1 --filter="displayName=\"$2\"" --format='value(name)' --limit=1
}

# Prints the display name in a JSON file.
read_display_name() {
  sed -n 's/^  "displayName": "\(.*\)",$/\1/p' "$1"
}

CHANNEL=$(gcloud beta monitoring channels list --filter="labels.email_address=\"$EMAIL\"" --format='value(name)' --limit=1)
if [ -z "$CHANNEL" ]; then
  CHANNEL=$(gcloud beta monitoring channels create --display-name='On call' --type=email \
    --channel-labels="email_address=$EMAIL" --format='value(name)')
fi

# The host of an uptime check cannot be changed.
HOST="$(node tools/checks/printSite.ts --project "$PROJECT_ID").web.app"
for CHECK in $(gcloud monitoring uptime list-configs --format='value(name)' \
  --filter="displayName=\"tattoo-api\" AND monitoredResource.labels.host!=\"$HOST\""); do
  gcloud monitoring uptime delete "$CHECK" --quiet
done
# With APP_CHECK=enforce, the response is 403, whose message names the missing header. It also proves that the code runs.
set -- --path='/api/flash/artist/uptime-check/paginated?limit=1' --validate-ssl=true --period=5 --timeout=20 \
  --matcher-type=matches-regex --matcher-content='"flash":|X-Firebase-AppCheck'
CHECK=$(find_by_name 'monitoring uptime list-configs' tattoo-api)
if [ -z "$CHECK" ]; then
  gcloud monitoring uptime create tattoo-api --resource-type=uptime-url \
    --resource-labels="host=$HOST,project_id=$PROJECT_ID" --protocol=https --status-codes=200,403 "$@"
else
  gcloud monitoring uptime update "$CHECK" --set-status-codes=200,403 "$@"
fi

for METRIC in monitoring/metrics/*.json; do
  NAME=$(basename "$METRIC" .json)
  if gcloud logging metrics describe "$NAME" > /dev/null 2>&1; then
    gcloud logging metrics update "$NAME" --config-from-file="$METRIC"
  else
    gcloud logging metrics create "$NAME" --config-from-file="$METRIC"
  fi
done

# In the replacement of sed, these characters need a backslash.
LINK=$(printf %s "$REPOSITORY" | sed 's/[\\&|]/\\&/g')
for FILE in monitoring/alerts/*.json; do
  CONTENT=$(sed "s|docs/operating.md|$LINK/&|" "$FILE")
  POLICY=$(find_by_name 'alpha monitoring policies list' "$(read_display_name "$FILE")")
  if [ -z "$POLICY" ]; then
    gcloud alpha monitoring policies create --notification-channels="$CHANNEL" --policy="$CONTENT"
  else
    # Keeps the channels that were added by hand.
    CHANNELS=$(gcloud alpha monitoring policies describe "$POLICY" --format='value(notificationChannels.list())')
    case ",$CHANNELS," in
      *",$CHANNEL,"*) ;;
      *) CHANNELS="$CHANNELS${CHANNELS:+,}$CHANNEL" ;;
    esac
    gcloud alpha monitoring policies update "$POLICY" --set-notification-channels="$CHANNELS" --policy="$CONTENT"
  fi
done

FILE=monitoring/dashboard.json
DASHBOARD=$(find_by_name 'monitoring dashboards list' "$(read_display_name "$FILE")")
if [ -z "$DASHBOARD" ]; then
  gcloud monitoring dashboards create --config-from-file="$FILE"
else
  # An update must have the etag of the stored dashboard.
  ETAG=$(gcloud monitoring dashboards describe "$DASHBOARD" --format='value(etag)')
  gcloud monitoring dashboards update "$DASHBOARD" --config="$(sed "1s/{/{ \"etag\": \"$ETAG\",/" "$FILE")"
fi

if [ -n "${BUDGET-}" ]; then
  gcloud services enable billingbudgets.googleapis.com
  : "${BILLING:=$(gcloud billing projects describe "$PROJECT_ID" --format='value(billingAccountName.basename())')}"
  BUDGET_NAME=$(find_by_name "billing budgets list --billing-account=$BILLING" "tattoo-api $PROJECT_ID")
  if [ -z "$BUDGET_NAME" ]; then
    gcloud billing budgets create --billing-account="$BILLING" --display-name="tattoo-api $PROJECT_ID" \
      --budget-amount="$BUDGET" --filter-projects="projects/$PROJECT_ID" --threshold-rule=percent=0.5 \
      --threshold-rule=percent=0.9 --threshold-rule=percent=1.0 \
      --notifications-rule-monitoring-notification-channels="$CHANNEL"
  else
    gcloud billing budgets update "$BUDGET_NAME" --budget-amount="$BUDGET"
  fi
fi
