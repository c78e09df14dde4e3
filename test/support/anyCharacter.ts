import fc from 'fast-check';

/**
 * Any code point, lone surrogates included. fast-check's own unit `binary` first builds a table of all of them, which
 * takes as long as hundreds of requests.
 */
export const anyCharacter = fc.nat(0x10_ff_ff).map((code) => String.fromCodePoint(code));
