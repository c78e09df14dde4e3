/**
 * Template for a data fix: copy and adapt it. It repairs documents that `npm run check:data` reports: here it sets a missing
 * `isVisible`, and converts prices that are numbers to text. It skips and prints documents that change at the same time: run
 * it again.
 *
 * GOOGLE_CLOUD_PROJECT=YOUR_PROJECT node tools/data/repairDocuments.example.js
 */
import { initializeApp } from 'firebase-admin/app';
import { FieldPath, getFirestore } from 'firebase-admin/firestore';

const collection = getFirestore(initializeApp()).collection('flash');

/**
 * For each field, a function that returns the value to store. It gets the stored value, which is undefined if it is missing.
 *
 * @type {Readonly<Record<string, (value: unknown) => unknown>>}
 */
const REPAIRS = {
  isVisible: (value) => value ?? true,
  'price.amount': (value) => (typeof value === 'number' ? String(value) : value),
};

const pages = collection.orderBy(FieldPath.documentId()).limit(300);
for (let page = await pages.get(); !page.empty;) {
  await Promise.all(page.docs.map(repair));
  page = await pages.startAfter(page.docs.at(-1)).get();
}

/** @param {import('firebase-admin/firestore').QueryDocumentSnapshot} document */
async function repair(document) {
  const changes = Object.entries(REPAIRS).flatMap(([field, repairValue]) => {
    const stored = document.get(field);
    const value = repairValue(stored);
    return value === stored ? [] : [[field, value]];
  });
  if (changes.length === 0) return;
  const unchanged = { lastUpdateTime: document.updateTime };
  await document.ref.update(Object.fromEntries(changes), unchanged).catch((error) => {
    console.error(`${document.ref.path}: ${error.message}`);
    process.exitCode = 1;
  });
}
