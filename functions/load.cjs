/**
 * Loads the bundle beside it, with the code that V8 has compiled of it before where that fits: made by codeCache.js
 * when the functions are deployed. Where there is none, or it is of another Node or another bundle, V8 compiles anew.
 */
'use strict';
const { readFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { join } = require('node:path');
const { constants, Script } = require('node:vm');

const filename = join(__dirname, 'service.cjs');

function codeCache() {
  try {
    return readFileSync(join(__dirname, 'service.cache'));
  } catch {
    return undefined;
  }
}

const script = new Script(wrap(readFileSync(filename, 'latin1')), {
  filename,
  cachedData: codeCache(),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(exports, require, module, filename, __dirname);
