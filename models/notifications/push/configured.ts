import { config } from '../../../config.js';
import type { Platform } from './PushToken.js';

/** Returns for each platform whether its gateway has credentials. */
export const configuredPlatforms = (): Record<Platform, boolean> => ({
  ios: config.apns !== null,
  android: config.FCM_SERVICE_ACCOUNT !== undefined,
});
