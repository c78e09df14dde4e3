/**
 * Loads the bundle beside it, with the code that V8 has compiled of it before where there is some: codeCache.js makes it
 * where the functions are deployed. V8 itself refuses what another version or other flags have made, but not what is
 * damaged, or made of another bundle: so the file starts with a checksum of both. What does not fit is not used, and V8
 * compiles anew.
 */
'use strict';
const { readFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { join } = require('node:path');
const { constants, Script } = require('node:vm');
const { crc32 } = require('node:zlib');

// Node keeps silent about what packages in node_modules call that is deprecated; in a bundle it cannot tell.
process.noDeprecation = true;

const filename = join(__dirname, 'service.cjs');
const bundle = readFileSync(filename);

function codeCache() {
  try {
    const file = readFileSync(join(__dirname, `${process.env.FUNCTION_TARGET}.cache`));
    const code = file.subarray(4);
    return file.readUInt32LE(0) === crc32(code, crc32(bundle)) ? code : undefined;
  } catch {
    return undefined;
  }
}

const script = new Script(wrap(bundle.latin1Slice()), {
  filename,
  cachedData: codeCache(),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(exports, require, module, filename, __dirname);
