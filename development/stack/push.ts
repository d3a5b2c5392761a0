/** The stand-ins of the push gateways. They run unless a real gateway is configured or this is production. */
import path from 'node:path';
import { pushAppOf } from '../../config.js';
import { APNS_KEY_ID, type App, credentialFiles, DEFAULT_APP, hasCredentials } from '../standins/push/credentials.js';
import type { StackSettings } from './settings.js';

export const pushFolder = ({ dataDir }: Pick<StackSettings, 'dataDir'>): string => path.join(dataDir, 'push');

/**
 * Reports whether the stand-ins run: no credentials of a real push gateway (APNs or FCM) are configured, and this is
 * not production.
 */
export const playsPush = ({ environment, external }: StackSettings): boolean =>
  !external.push && environment['NODE_ENV'] !== 'production';

/** Returns the app that the APNs stand-in serves. It is the app to which the platform sends its push messages. */
export function appOf(environment: NodeJS.ProcessEnv): App {
  const { teamId = DEFAULT_APP.teamId, topic = DEFAULT_APP.topic } = pushAppOf(environment);
  return { teamId, topic };
}

/**
 * Returns the environment variables that point programs to the stand-ins. Returns none if the stand-ins do not run or
 * their credentials are not created yet.
 */
export function pushEnvironment(settings: StackSettings): NodeJS.ProcessEnv {
  const folder = pushFolder(settings);
  if (!playsPush(settings) || !hasCredentials(folder)) return {};
  const files = credentialFiles(folder);
  const { teamId, topic } = appOf(settings.environment);
  const fcm = `http://127.0.0.1:${settings.ports.fcm}`;
  return {
    APNS_URL: `https://127.0.0.1:${settings.ports.apns}`,
    APNS_KEY_FILE: files.apnsKey,
    APNS_KEY_ID,
    APNS_TEAM_ID: teamId,
    APNS_TOPIC: topic,
    APNS_CA_FILE: files.authority,
    FCM_URL: fcm,
    FCM_TOKEN_URL: `${fcm}/token`,
    FCM_SERVICE_ACCOUNT_FILE: files.serviceAccount,
  };
}
