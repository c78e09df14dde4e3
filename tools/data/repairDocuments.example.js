/**
 * A program to copy: it mends documents that `npm run check:data` lists, here listings without `isVisible`, and with numbers
 * for prices. It leaves documents that others change at the same time, and names them: run it again.
 *
 * GOOGLE_CLOUD_PROJECT=YOUR_PROJECT node tools/data/repairDocuments.example.js
 */
import { initializeApp } from 'firebase-admin/app';
import { FieldPath, getFirestore } from 'firebase-admin/firestore';

const collection = getFirestore(initializeApp()).collection('flash');

/**
 * For each field, what to store in the place of a value, which is undefined if it is missing.
 *
 * @type {Readonly<Record<string, (value: unknown) => unknown>>}
 */
const MENDED = {
  isVisible: (value) => value ?? true,
  'price.amount': (value) => (typeof value === 'number' ? String(value) : value),
};

const pages = collection.orderBy(FieldPath.documentId()).limit(300);
for (let page = await pages.get(); !page.empty;) {
  await Promise.all(page.docs.map(mend));
  page = await pages.startAfter(page.docs.at(-1)).get();
}

/** @param {import('firebase-admin/firestore').QueryDocumentSnapshot} document */
async function mend(document) {
  const changes = Object.entries(MENDED).flatMap(([field, mended]) => {
    const stored = document.get(field);
    const value = mended(stored);
    return value === stored ? [] : [[field, value]];
  });
  if (changes.length === 0) return;
  const unchanged = { lastUpdateTime: document.updateTime };
  await document.ref.update(Object.fromEntries(changes), unchanged).catch((error) => {
    console.error(`${document.ref.path}: ${error.message}`);
    process.exitCode = 1;
  });
}
