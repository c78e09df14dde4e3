/** The limit that also parses and serializes Firestore's JSON, to show what that alone takes. */
import { handler } from './limit.ts';

export const baseline = handler((json) => Buffer.from(JSON.stringify(JSON.parse(json.toString()))));
