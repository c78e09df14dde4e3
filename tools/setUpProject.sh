#!/bin/sh
# Prepares a project for the first deploy, by gcloud. P is its id; REGION is where functions and data shall be; BILLING, if
# set, is the billing account to link.
set -eu
: "${P:?is not set}" "${REGION:?is not set}"
export CLOUDSDK_CORE_PROJECT="$P"

[ -z "${BILLING-}" ] || gcloud billing projects link "$P" --billing-account="$BILLING"

# It may take minutes until they work.
gcloud services enable artifactregistry.googleapis.com cloudbilling.googleapis.com cloudbuild.googleapis.com \
  cloudfunctions.googleapis.com cloudresourcemanager.googleapis.com eventarc.googleapis.com firebase.googleapis.com \
  firebaseextensions.googleapis.com firebasehosting.googleapis.com firebaserules.googleapis.com \
  firestore.googleapis.com iam.googleapis.com identitytoolkit.googleapis.com pubsub.googleapis.com \
  run.googleapis.com storage.googleapis.com

# The account of the functions. The default one, which builds them, may often edit the whole project; in some
# organizations it lacks the second role.
gcloud iam service-accounts create tattoo-api
BUILDER="$(gcloud projects describe "$P" --format='value(projectNumber)')-compute@developer.gserviceaccount.com"
for BINDING in "tattoo-api@$P.iam.gserviceaccount.com datastore.user" "$BUILDER cloudbuild.builds.builder"; do
  gcloud projects add-iam-policy-binding "$P" --member="serviceAccount:${BINDING% *}" --role="roles/${BINDING#* }" \
    --condition=None
done

# The parameters of the deploy.
PARAMETERS="functions/.env.$P"
[ -e "$PARAMETERS" ] || sed "s/^REGION=.*/REGION=$REGION/; s/^SERVICE_ACCOUNT=.*/SERVICE_ACCOUNT=tattoo-api@/" \
  functions/.env.example > "$PARAMETERS"

# Last, because it fails where there is one. Without it the CLI would create the database in the United States, for good.
# The flags prevent deletion and store seven days of history.
gcloud firestore databases create --location="$REGION" --delete-protection --enable-pitr
