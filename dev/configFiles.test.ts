import { parseConfigFile, parseFirebaseConfig, replaceJsonValue } from './configFiles.ts';

const FIREBASE = { functions: [{ source: 'functions' }], firestore: {}, hosting: {} };

test('parseConfigFile accepts comments', () => {
  const text = '{ // one\n  "url": "https://a/*b*/", /* two\n lines */ "n": 1 }';

  expect(parseConfigFile('firebase.json', text)).toEqual({ url: 'https://a/*b*/', n: 1 });
});

test.each([
  {
    name: 'a missing comma',
    text: '{\n/* a\n b */ "a": 1\n"b": 2 }',
    reason: 'line 4: comma expected.',
  },
  { name: 'a trailing comma', text: '{ "a": 1,\n}', reason: 'line 2: property name expected.' },
  { name: 'a missing brace', text: '{ "a": 1\n', reason: 'line 2: close brace expected.' },
  { name: 'an empty file', text: '', reason: 'line 1: value expected.' },
])('the error for $name names the file and the line', ({ text, reason }) => {
  expect(() => parseConfigFile('firebase.json', text)).toThrow(`firebase.json, ${reason}`);
});

test.each([
  {
    name: 'one codebase as an object',
    config: { functions: {} },
    rule: '"functions" must be a list',
  },
  {
    name: 'several databases',
    config: { firestore: [{}] },
    rule: '"firestore" must be one object, not a list',
  },
  {
    name: 'several sites',
    config: { hosting: [{}, {}] },
    rule: '"hosting" must be one object, not a list',
  },
  {
    name: 'a Hosting target',
    config: { hosting: { target: 'api' } },
    rule: '"hosting" must name its site by "site", not by "target"',
  },
])('parseFirebaseConfig rejects $name', ({ config, rule }) => {
  const text = JSON.stringify({ ...FIREBASE, ...config });

  expect(() => parseFirebaseConfig(text)).toThrow(`firebase.json: ${rule}`);
});

test('replaceJsonValue keeps the comments outside of the value', () => {
  const text = '{\n  // Ours\n  "a": { "b": [1] }, // Last\n  "c": 2\n}';

  expect(replaceJsonValue(text, ['a', 'b'], [3])).toBe(text.replace('[1]', '[3]'));
});

test('replaceJsonValue leaves an equal value as it is', () => {
  const text = '{ "a": [1, /* two */ 2] }';

  expect(replaceJsonValue(text, ['a'], [1, 2])).toBe(text);
});

test('replaceJsonValue keeps the text of the items that stay', () => {
  const text = '{ "a": [{\n "b": 1 // One.\n }, 2, 3] }';

  expect(replaceJsonValue(text, ['a'], [4, { b: 1 }, 3])).toBe(
    '{ "a": [4, {\n "b": 1 // One.\n }, 3] }',
  );
});

test('replaceJsonValue adds a missing value', () => {
  expect(JSON.parse(replaceJsonValue('{ "a": {} }', ['a', 'b'], [3]))).toEqual({ a: { b: [3] } });
});
