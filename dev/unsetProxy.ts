/**
 * Import this first: it removes the proxy settings of the shell. The local stack calls this machine only, but the emulators
 * of the Firebase CLI would send these calls to the proxy, because they ignore `NO_PROXY`.
 */
import http from 'node:http';

for (const name of Object.keys(process.env)) {
  if (/^((https?|all|no|grpc)_proxy|node_use_env_proxy)$/i.test(name))
    Reflect.deleteProperty(process.env, name);
}
// With NODE_USE_ENV_PROXY=1, Node has read the settings before this module runs.
process.env.NO_PROXY = '*';
http.globalAgent = new http.Agent({ keepAlive: true });
