/**
 * `npm run check:adopted -- --project P`, which the CLI runs before each deploy of functions: exits with 1 if the deploy
 * would replace a function of another codebase, which the CLI does without asking. The functions are listed by the CLI,
 * which is signed in for the deploy; if it cannot list them, this check says so and passes.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../dev/root.ts';
import { PROJECT, readCommand, requireProject } from './commandLine.ts';
import { deployTo } from './deploy.ts';
import { WITHIN_MS } from './googleApi.ts';
import { adoptedFunctions, type PresentFunction } from './project.ts';

const CLI = join(ROOT, 'node_modules/firebase-tools/lib/bin/firebase.js');

/** What a command of the CLI prints with `--json`. */
type Printed = { readonly result: readonly PresentFunction[] } | { readonly error: string };

const given = readCommand('npm run check:adopted -- --project P', { project: PROJECT });
// The CLI names the project of the deploy in the environment.
const project = requireProject(given.project ?? process.env.GCLOUD_PROJECT);

const [deploy, listed] = await Promise.all([deployTo(project), listFunctions()]);
if ('error' in listed) {
  console.error(
    `Warning: not checked whether the deploy replaces functions of others, because the Firebase CLI cannot list them: ${listed.error}`,
  );
} else {
  const adopted = adoptedFunctions(deploy, listed.result);
  for (const line of adopted) console.error(line);
  if (adopted.length > 0) {
    console.error('Nothing was deployed: docs/operating.md, "Into an existing project".');
    process.exitCode = 1;
  } else {
    console.log('The deploy replaces no function of others.');
  }
}

async function listFunctions(): Promise<Printed> {
  const args = [CLI, 'functions:list', '--project', project, '--json', '--non-interactive'];
  return new Promise((resolve) => {
    // A project may have hundreds of functions, of some kB each.
    const limits = { timeout: WITHIN_MS, maxBuffer: Infinity };
    execFile(process.execPath, args, limits, (failure, stdout) => {
      try {
        // Warnings may come before it.
        resolve(JSON.parse(stdout.slice(stdout.indexOf('{'))) as Printed);
      } catch {
        resolve({ error: failure?.message ?? 'it printed no JSON' });
      }
    });
  });
}
