/** The stand-in of the professional network, which runs in the process of the payment gateways. */
import { DEVELOPMENT_SECRETS } from '../../config.js';
import { PATHS } from '../standins/socialnet/server.js';
import type { StackSettings } from './settings.js';

export const NETWORK_CLIENT = { id: 'development', secret: DEVELOPMENT_SECRETS.socialnetSecret };

/**
 * Returns the environment variables that point programs to the stand-in, unless a real network is configured or this is
 * production.
 */
export function networkEnvironment({ environment, external, ports }: StackSettings): NodeJS.ProcessEnv {
  const isReal = Boolean(environment['SOCIALNET_CLIENT_ID']) || environment['NODE_ENV'] === 'production';
  if (isReal || external.gateway) return {};
  const url = `http://127.0.0.1:${ports.socialnet}`;
  return {
    SOCIALNET_CLIENT_ID: NETWORK_CLIENT.id,
    SOCIALNET_CLIENT_SECRET: NETWORK_CLIENT.secret,
    SOCIALNET_AUTHORIZATION_URL: url + PATHS.authorization,
    SOCIALNET_TOKEN_URL: url + PATHS.token,
    SOCIALNET_USERINFO_URL: url + PATHS.userinfo,
    SOCIALNET_API_URL: url,
  };
}
