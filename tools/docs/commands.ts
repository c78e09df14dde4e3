/** Not run by anybody: no account at Google was available, or no network. */
export const UNTRIED = 'untried';

/** Run by hand, because it takes minutes or changes the repository. */
export const BY_HAND = 'by hand';

const CI = '.ci/run';
const REHEARSAL = 'tools/rehearsal';

/** How each command of the documents is tried: by the program or test of a file that runs it, by hand, or not at all. */
export const COMMANDS: readonly (readonly [command: RegExp, tried: string])[] = [
  [/^npm ci && npm test$/, CI],
  [/^npm test( -- test\/http)?$/, CI],
  [/^npm ci && npm start$/, 'tools/docs/tryStart.ts'],
  [/^npm start$/, 'tools/docs/tryStart.ts'],
  [/^npm start -- --official-firestore$/, BY_HAND],
  [/^curl 'http:\/\/127\.0\.0\.1:5000/, 'tools/docs/tryStart.ts'],
  [/^curl 'http:\/\/127\.0\.0\.1:9099/, 'tools/docs/tryStart.ts'],
  [/^npm run (build|verify|test:official|test:browser|rehearse)$/, CI],
  [/^npm run test:completeness$/, 'tools/checks/completeness.test.ts'],
  [/^npm run fuzz$/, 'test/contract/contract.test.ts'],
  [/^npm run openapi$/, 'tools/openapi/openapi.test.ts'],
  [/^npm run (mutants|format|client:publish)$/, BY_HAND],
  [/^npm run bench( -- --write)?$/, BY_HAND],
  [/^npm run check:data -- --project /, 'tools/data/data.emulator.test.ts'],
  [/^npm run migrate -- --project /, 'tools/data/data.emulator.test.ts'],
  [/^npm run check:(project|parameters)\b/, REHEARSAL],
  [/^npm run check:deployed -- --project /, REHEARSAL],
  [/^(npm ci && )?npx firebase deploy --project "\$P"( --non-interactive)?$/, REHEARSAL],
  [/^FUNCTIONS=/, `${REHEARSAL}/ownFunctions.ts`],
  [/^curl -X POST \$FUNCTIONS\//, `${REHEARSAL}/ownFunctions.ts`],
  [/^cp functions\/\.env\.example /, REHEARSAL],
  [/^npx firebase (login|projects:create "\$P")$/, UNTRIED],
  [/^(gcloud|\w+="?\$\(gcloud) /, UNTRIED],
  [/^curl -i "https:/, UNTRIED],
  [/^git switch --detach /, BY_HAND],
  [/^printf %s THE_UID /, BY_HAND],
  [/^(P|SINCE|REPOSITORY|DEPLOYER)=/, BY_HAND],
  [/^(for \w+ in .*; do|done)$/, BY_HAND],
  [/^npm install https:\/\/PROJECT/, 'test/client/installed.emulator.test.ts'],
  [/^jq /, BY_HAND],
];
