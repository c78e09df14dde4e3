#!/bin/sh
# Creates the service account that deploys from CI to the project PROJECT_ID, with gcloud. Run it after a first deploy by
# hand. It can be run again: a repeated step changes nothing.
set -eu
export CLOUDSDK_CORE_PROJECT="${PROJECT_ID:?is not set}"

gcloud services enable iamcredentials.googleapis.com sts.googleapis.com
DEPLOYER="deployer@$PROJECT_ID.iam.gserviceaccount.com"
gcloud iam service-accounts describe "$DEPLOYER" > /dev/null 2>&1 || gcloud iam service-accounts create deployer
for ROLE in artifactregistry.admin cloudfunctions.admin datastore.indexAdmin firebase.viewer \
  firebasehosting.admin firebaserules.admin serviceusage.serviceUsageConsumer; do
  gcloud projects add-iam-policy-binding "$PROJECT_ID" --member="serviceAccount:$DEPLOYER" --role="roles/$ROLE" \
    --condition=None
done

# A deploy acts as the accounts that build and run the functions.
BUILD_ACCOUNT="$(gcloud projects describe "$PROJECT_ID" --format='value(projectNumber)')-compute@developer.gserviceaccount.com"
for ACCOUNT in "$BUILD_ACCOUNT" "tattoo-api@$PROJECT_ID.iam.gserviceaccount.com"; do
  if gcloud iam service-accounts describe "$ACCOUNT" > /dev/null 2>&1; then
    gcloud iam service-accounts add-iam-policy-binding "$ACCOUNT" --member="serviceAccount:$DEPLOYER" \
      --role=roles/iam.serviceAccountUser
  else
    echo "The project has no account $ACCOUNT: grant $DEPLOYER roles/iam.serviceAccountUser on the account that it uses instead." >&2
  fi
done
