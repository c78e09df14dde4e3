/** The security rules that a deploy may replace: they are not written by hand. */
import { readFileSync } from 'node:fs';

const LOCKED = `service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} {
      allow read, write: if false;
    }
  }
}`;

/** The rules of a new database in "production mode", as versions of the Firebase console have written them. */
const CONSOLE_RULES = [
  LOCKED,
  `rules_version = '2';\n${LOCKED}`,
  `rules_version = '2';\n\n${LOCKED}`,
];

/**
 * Returns whether rules equal, byte for byte, the rules of this repository or of a new database. All other rules may have been
 * written by hand, even if they deny all access: only a parser of rules could tell.
 */
export function isKnownRules(rules: string): boolean {
  const knownRules = [
    readFileSync('firestore.rules', 'utf8'),
    ...CONSOLE_RULES.flatMap(createVariants),
  ];
  return knownRules.includes(rules);
}

/** Returns rules without and with a final newline. */
function createVariants(content: string): string[] {
  return [content, `${content}\n`];
}
