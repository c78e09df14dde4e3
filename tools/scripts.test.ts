/** Tests the shell scripts that set up a project, with a fake `gcloud`. */
import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/**
 * A fake gcloud that logs each command. Like gcloud, `create` fails for an existing resource, and `describe` for a missing
 * resource. Commands that contain $FAIL_AT fail.
 */
const GCLOUD = String.raw`#!/bin/sh
COMMAND=$(echo "$*" | tr '\n' ' ' | sed 's/ *$//')
echo "$COMMAND" >> log
case "$COMMAND" in *"${'$'}{FAIL_AT:-nothing}"*) echo "failed: $COMMAND" >&2; exit 1 ;; esac
# The collection and the id, such as "iam service-accounts tattoo-api".
RESOURCE=$(echo "$COMMAND" | sed 's/ \(create\|create-oidc\|describe\) / /; s/@p.iam.*//; s/ --.*//')
case "$COMMAND" in
  "projects describe"*) echo 123 ;;
  *" describe "*compute@*) exit "${'$'}{NO_COMPUTE_ACCOUNT:-0}" ;;
  *"policies describe"*) echo by-hand ;;
  *"dashboards describe"*) echo 1 ;;
  *" describe "*) grep -q "^$RESOURCE|" created ;;
  *" list-configs "*"!="*) echo "${'$'}{OTHER_CHECK-}" ;;
  *" list "* | *" list-configs "*) if grep -qF "$(echo "$COMMAND" | sed 's/.*="\(.*\)".*/\1/')" created; then echo found; fi ;;
  *" create "* | *" create-oidc "*) if grep -q "^$RESOURCE| $COMMAND" created; then echo "already exists" >&2; exit 1; fi
    CONFIG=$(echo "$COMMAND" | sed -n 's/.*--config-from-file=//p')
    echo "$RESOURCE| $COMMAND" $(cat $CONFIG < /dev/null) >> created; echo new ;;
esac
`;

/** A fake of tools/checks/printSite.ts. */
const NODE = '#!/bin/sh\necho p-api\n';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scripts-'));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'functions'));
  await writeFile(join(folder, 'created'), '');
  await writeFile(join(folder, 'bin/gcloud'), GCLOUD);
  await writeFile(join(folder, 'bin/node'), NODE);
  for (const name of ['gcloud', 'node']) await chmod(join(folder, 'bin', name), 0o755);
  await copyFile('functions/.env.example', join(folder, 'functions/.env.example'));
  await cp('monitoring', join(folder, 'monitoring'), { recursive: true });
});

afterEach(() => rm(folder, { recursive: true }));

/** Reads the commands of gcloud that ran, in which an expression matches. */
async function readCommands(expression: RegExp): Promise<string[]> {
  const log = await readFile(join(folder, 'log'), 'utf8');
  return log.split('\n').filter((command) => expression.test(command));
}

/** Runs a script. Returns its exit code and its output. */
async function run(script: string, env: Readonly<Record<string, string>> = {}) {
  return promisify(execFile)('sh', [resolve('tools', script)], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      PROJECT_ID: 'p',
      REGION: 'europe-west1',
      EMAIL: 'a@example.com',
      REPOSITORY: 'https://example.com',
      BUDGET: '100',
      BILLING: '0-0-0',
      GITHUB_REPOSITORY: 'you/yours',
      ENVIRONMENT: 'staging',
      ...env,
    },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

test.each([
  { script: 'setUpProject.sh', failAt: 'databases create', resources: 2 },
  { script: 'createCiAccount.sh', failAt: 'artifactregistry.admin', resources: 3 },
  { script: 'createAlerts.sh', failAt: 'metrics create', resources: 12 },
])(
  '$script can be run again after a failure and after a success',
  async ({ script, failAt, resources }) => {
    expect(await run(script, { FAIL_AT: failAt })).toMatchObject({ code: 1 });

    expect(await run(script)).toMatchObject({ code: 0 });
    const resourceLines = await readFile(join(folder, 'created'), 'utf8');
    expect(await run(script)).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'created'), 'utf8')).toBe(resourceLines);
    expect(resourceLines.trim().split('\n')).toHaveLength(resources);
  },
);

test.each(['setUpProject.sh', 'createCiAccount.sh'])(
  '%s completes in a project without the default compute account, and prints the missing role',
  async (script) => {
    const { code, stderr } = await run(script, { NO_COMPUTE_ACCOUNT: '1' });

    expect(code).toBe(0);
    expect(stderr).toContain(
      'The project has no account 123-compute@developer.gserviceaccount.com',
    );
    expect(await readFile(join(folder, 'log'), 'utf8')).not.toMatch(
      /add-iam-policy-binding .*compute@/,
    );
  },
);

test('createAlerts.sh links to the runbook at any address', async () => {
  const REPOSITORY = 'https://dev.example.com/a|b?version=main&path=';
  await run('createAlerts.sh', { REPOSITORY });

  const log = await readFile(join(folder, 'log'), 'utf8');
  expect(log).toContain(`Runbook: ${REPOSITORY}/docs/operating.md#functions-respond-with-5xx`);
});

test('setUpProject.sh writes the parameters of the project once', async () => {
  await run('setUpProject.sh', { DATABASE_ID: 'live' });
  const parameters = await readFile(join(folder, 'functions/.env.p'), 'utf8');
  await run('setUpProject.sh');

  expect(parameters).toMatch(/^REGION=europe-west1$/m);
  expect(parameters).toMatch(/^SERVICE_ACCOUNT=tattoo-api@$/m);
  expect(parameters).toMatch(/^DATABASE_ID=live$/m);
  expect(await readFile(join(folder, 'functions/.env.p'), 'utf8')).toBe(parameters);
});

test.each([
  { environment: 'staging', ref: "assertion.ref == 'refs/heads/main'" },
  { environment: 'production', ref: "assertion.ref.startsWith('refs/tags/v')" },
])(
  'createCiAccount.sh lets one repository sign in for the environment $environment, and prints its variables',
  async ({ environment, ref }) => {
    const { stdout } = await run('createCiAccount.sh', { ENVIRONMENT: environment });

    const [provider = ''] = await readCommands(/providers create-oidc/);
    expect(provider).toContain(
      `--attribute-condition=assertion.repository == 'you/yours' && ${ref} && assertion.environment == '${environment}'`,
    );
    expect(stdout).toContain(
      'WORKLOAD_IDENTITY_PROVIDER=projects/123/locations/global/workloadIdentityPools/github/providers/github\n',
    );
  },
);

test('createCiAccount.sh rejects an unknown environment before it changes anything', async () => {
  expect(await run('createCiAccount.sh', { ENVIRONMENT: 'test' })).toMatchObject({ code: 1 });

  await expect(readFile(join(folder, 'log'), 'utf8')).rejects.toThrow('ENOENT');
});

test('createAlerts.sh checks the site of the deploy', async () => {
  await run('createAlerts.sh');

  expect(await readCommands(/uptime create .*host=p-api\.web\.app,/)).toHaveLength(1);
});

test('createAlerts.sh updates all that exists, and keeps the channels of an alert', async () => {
  await run('createAlerts.sh');
  await run('createAlerts.sh', { BUDGET: '200' });

  expect(await readCommands(/ create /)).toHaveLength(12);
  const updates = await readCommands(/ update /);
  expect(updates.map((command) => command.split(' update ')[0]).sort()).toEqual([
    ...Array.from({ length: 5 }, () => 'alpha monitoring policies'),
    'billing budgets',
    ...Array.from({ length: 3 }, () => 'logging metrics'),
    'monitoring dashboards',
    'monitoring uptime',
  ]);
  const [policy = ''] = updates.filter((command) => command.includes('5xx'));
  expect(policy).toContain('--set-notification-channels=by-hand,found');
  const [dashboard = ''] = updates.filter((command) => command.includes('dashboards'));
  expect(dashboard).toContain('--config={ "etag": "1",');
  expect(updates.filter((command) => command.includes('--budget-amount=200'))).toHaveLength(1);
});

test('createAlerts.sh deletes the uptime check of another site', async () => {
  await run('createAlerts.sh', { OTHER_CHECK: 'other-check' });

  expect(await readCommands(/ delete /)).toEqual(['monitoring uptime delete other-check --quiet']);
});

test('createAlerts.sh creates no budget without an amount', async () => {
  expect(await run('createAlerts.sh', { BUDGET: '' })).toMatchObject({ code: 0 });

  expect(await readCommands(/billing/)).toEqual([]);
});
