/** Creates the ports of the gateways that have credentials in the environment. */
import { config } from '../../config.js';
import { apns } from './apns.js';
import { fcm } from './fcm.js';
import { metered } from './metered.js';
import type { PushPorts } from './port.js';

export function pushGateways(): PushPorts {
  const { apns: apple, FCM_SERVICE_ACCOUNT: account, FCM_URL: url, FCM_TOKEN_URL: tokenUrl } = config;
  return {
    ios: apple && metered('ios', apns(apple)),
    android: account === undefined ? null : metered('android', fcm({ account, url, tokenUrl })),
  };
}
