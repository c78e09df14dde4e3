#!/bin/sh
# Creates the account that deploys from CI to the project P, after a first deploy by hand, by gcloud.
set -eu
export CLOUDSDK_CORE_PROJECT="${P:?is not set}"

gcloud services enable iamcredentials.googleapis.com sts.googleapis.com
gcloud iam service-accounts create deployer
DEPLOYER="serviceAccount:deployer@$P.iam.gserviceaccount.com"
for ROLE in artifactregistry.admin cloudfunctions.admin datastore.indexAdmin firebase.viewer \
  firebasehosting.admin firebaserules.admin serviceusage.serviceUsageConsumer; do
  gcloud projects add-iam-policy-binding "$P" --member="$DEPLOYER" --role="roles/$ROLE" --condition=None
done
BUILDER="$(gcloud projects describe "$P" --format='value(projectNumber)')-compute@developer.gserviceaccount.com"
for ACCOUNT in "$BUILDER" "tattoo-api@$P.iam.gserviceaccount.com"; do
  gcloud iam service-accounts add-iam-policy-binding "$ACCOUNT" --member="$DEPLOYER" --role=roles/iam.serviceAccountUser
done
