#!/bin/sh
# Creates the service account that deploys from CI to the project PROJECT_ID, with gcloud. Run it after a first deploy by
# hand. It can be run again: repeating a step changes nothing.
# Optional: GITHUB_REPOSITORY (YOU/YOUR_REPOSITORY) may then sign in as the account, by Workload Identity Federation, and
# nothing else: from the main branch if ENVIRONMENT is staging, from tags v… if it is production.
set -eu
export CLOUDSDK_CORE_PROJECT="${PROJECT_ID:?is not set}"
if [ -n "${GITHUB_REPOSITORY-}" ]; then
  case "${ENVIRONMENT:?is not set}" in
    staging) REF="assertion.ref == 'refs/heads/main'" ;;
    production) REF="assertion.ref.startsWith('refs/tags/v')" ;;
    *) echo 'ENVIRONMENT must be staging or production.' >&2; exit 1 ;;
  esac
fi

gcloud services enable iamcredentials.googleapis.com sts.googleapis.com
DEPLOYER="deployer@$PROJECT_ID.iam.gserviceaccount.com"
gcloud iam service-accounts describe "$DEPLOYER" > /dev/null 2>&1 || gcloud iam service-accounts create deployer
for ROLE in artifactregistry.admin cloudfunctions.admin datastore.indexAdmin firebase.viewer \
  firebasehosting.admin firebaserules.admin serviceusage.serviceUsageConsumer; do
  gcloud projects add-iam-policy-binding "$PROJECT_ID" --member="serviceAccount:$DEPLOYER" --role="roles/$ROLE" \
    --condition=None
done

# A deploy acts as the accounts that build and run the functions.
NUMBER=$(gcloud projects describe "$PROJECT_ID" --format='value(projectNumber)')
BUILD_ACCOUNT="$NUMBER-compute@developer.gserviceaccount.com"
for ACCOUNT in "$BUILD_ACCOUNT" "tattoo-api@$PROJECT_ID.iam.gserviceaccount.com"; do
  if gcloud iam service-accounts describe "$ACCOUNT" > /dev/null 2>&1; then
    gcloud iam service-accounts add-iam-policy-binding "$ACCOUNT" --member="serviceAccount:$DEPLOYER" \
      --role=roles/iam.serviceAccountUser
  else
    echo "The project has no account $ACCOUNT: grant $DEPLOYER roles/iam.serviceAccountUser on the account that it uses instead." >&2
  fi
done

if [ -n "${GITHUB_REPOSITORY-}" ]; then
  POOL="projects/$NUMBER/locations/global/workloadIdentityPools/github"
  gcloud iam workload-identity-pools describe github --location=global > /dev/null 2>&1 ||
    gcloud iam workload-identity-pools create github --location=global
  gcloud iam workload-identity-pools providers describe github --location=global --workload-identity-pool=github > /dev/null 2>&1 ||
    gcloud iam workload-identity-pools providers create-oidc github --location=global --workload-identity-pool=github \
      --issuer-uri=https://token.actions.githubusercontent.com \
      --attribute-mapping='google.subject=assertion.sub,attribute.repository=assertion.repository' \
      --attribute-condition="assertion.repository == '$GITHUB_REPOSITORY' && $REF && assertion.environment == '$ENVIRONMENT'"
  gcloud iam service-accounts add-iam-policy-binding "$DEPLOYER" --role=roles/iam.workloadIdentityUser \
    --member="principalSet://iam.googleapis.com/$POOL/attribute.repository/$GITHUB_REPOSITORY"
  echo "Set the variables of the environment $ENVIRONMENT at GitHub:"
  echo "FIREBASE_PROJECT=$PROJECT_ID"
  echo "WORKLOAD_IDENTITY_PROVIDER=$POOL/providers/github"
fi
