/**
 * Sends a program's calls of Google through the proxy of the fake Google. Node's own support (NODE_USE_ENV_PROXY=1 at the
 * start) loads undici, which takes time that a start on the platform does not take.
 */
if (process.env.HTTPS_PROXY !== undefined) {
  const https = require('node:https');
  process.env.NODE_USE_ENV_PROXY = '1';
  https.globalAgent = new https.Agent({ keepAlive: true, proxyEnv: process.env });
}
