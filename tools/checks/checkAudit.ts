/**
 * `npm run check:audit` asks npm's registry for known vulnerabilities of the packages that are deployed: the one that is
 * installed, and those in the bundle. It fails at a high or critical one.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readOptions } from '../../dev/commandLine.ts';
import { ROOT } from '../../dev/root.ts';
import { auditResult } from './audit.ts';

readOptions('npm run check:audit', {});

const { stdout } = await promisify(execFile)('npm', ['audit', '--json', '--workspaces=false'], {
  cwd: join(ROOT, 'functions'),
  shell: process.platform === 'win32',
  maxBuffer: Infinity,
  // npm fails at any vulnerability, and if there is no answer.
}).catch((failed: unknown) => failed as { readonly stdout?: string });

const { isSevere, sentences } = auditResult(stdout ?? '');
console.log(sentences.join('\n'));
if (isSevere) process.exitCode = 1;
