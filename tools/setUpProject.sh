#!/bin/sh
# Sets up a project for the first deploy, with gcloud. It can be run again: a repeated step changes nothing.
# PROJECT_ID is the project, and REGION the location of functions and data. Optional: BILLING is the billing account to
# link, and DATABASE_ID a named database.
set -eu
: "${PROJECT_ID:?is not set}" "${REGION:?is not set}" "${DATABASE_ID:=(default)}"
export CLOUDSDK_CORE_PROJECT="$PROJECT_ID"

if [ -n "${BILLING-}" ]; then
  gcloud billing projects link "$PROJECT_ID" --billing-account="$BILLING"
fi

# New services may take minutes until they work. If a later step fails because of that, run the script again.
gcloud services enable artifactregistry.googleapis.com cloudbilling.googleapis.com cloudbuild.googleapis.com \
  cloudfunctions.googleapis.com cloudresourcemanager.googleapis.com eventarc.googleapis.com firebase.googleapis.com \
  firebaseextensions.googleapis.com firebasehosting.googleapis.com firebaserules.googleapis.com \
  firestore.googleapis.com iam.googleapis.com identitytoolkit.googleapis.com pubsub.googleapis.com \
  run.googleapis.com storage.googleapis.com

# A dedicated service account for the functions: the default compute account often has the Editor role on the whole project.
FUNCTIONS_ACCOUNT="tattoo-api@$PROJECT_ID.iam.gserviceaccount.com"
gcloud iam service-accounts describe "$FUNCTIONS_ACCOUNT" > /dev/null 2>&1 ||
  gcloud iam service-accounts create tattoo-api
gcloud projects add-iam-policy-binding "$PROJECT_ID" --member="serviceAccount:$FUNCTIONS_ACCOUNT" \
  --role=roles/datastore.user --condition=None

# The default compute account builds the functions. In some organizations it lacks this role.
BUILD_ACCOUNT="$(gcloud projects describe "$PROJECT_ID" --format='value(projectNumber)')-compute@developer.gserviceaccount.com"
if gcloud iam service-accounts describe "$BUILD_ACCOUNT" > /dev/null 2>&1; then
  gcloud projects add-iam-policy-binding "$PROJECT_ID" --member="serviceAccount:$BUILD_ACCOUNT" \
    --role=roles/cloudbuild.builds.builder --condition=None
else
  echo "The project has no account $BUILD_ACCOUNT: grant roles/cloudbuild.builds.builder to the account that builds functions." >&2
fi

# The parameters of the deploy.
PARAMETERS="functions/.env.$PROJECT_ID"
if [ ! -e "$PARAMETERS" ]; then
  sed "s/^REGION=.*/REGION=$REGION/; s/^SERVICE_ACCOUNT=.*/SERVICE_ACCOUNT=tattoo-api@/; s/^DATABASE_ID=.*/DATABASE_ID=$DATABASE_ID/" \
    functions/.env.example > "$PARAMETERS.new"
  mv "$PARAMETERS.new" "$PARAMETERS"
fi

# Without this step, the Firebase CLI creates the database in the United States, and its location cannot be changed.
# The flags prevent deletion and store seven days of history.
gcloud firestore databases describe --database="$DATABASE_ID" > /dev/null 2>&1 ||
  gcloud firestore databases create --database="$DATABASE_ID" --location="$REGION" --delete-protection --enable-pitr
