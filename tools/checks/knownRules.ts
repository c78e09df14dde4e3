/** The security rules that a deploy may replace, because nobody has written them by hand. */
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
 * Returns whether rules equal, byte for byte, the rules of this repository or of a new database. Other rules belong to
 * somebody, also if they deny all access: the text of rules cannot be understood without a parser.
 */
export function isKnownRules(rules: string): boolean {
  const known = [
    readFileSync('firestore.rules', 'utf8'),
    ...CONSOLE_RULES.flatMap(allowFinalNewline),
  ];
  return known.includes(rules);
}

function allowFinalNewline(text: string): string[] {
  return [text, `${text}\n`];
}
