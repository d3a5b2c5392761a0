import { config } from '../../../config.js';
import type { Platform } from './PushToken.js';

/** For which platforms there are credentials. */
export const configuredPlatforms = (): Record<Platform, boolean> => ({
  ios: config.apns !== null,
  android: config.FCM_SERVICE_ACCOUNT !== undefined,
});
