/** Push notifications: delivery steps run as in the worker, against the stand-ins of both gateways. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { deliverNextPage } from '../../activities/notifications/deliver.js';
import { closePushes } from '../../activities/push.js';
import { config } from '../../config.js';
import type { Environment, Platform } from '../../development/standins/push/phones.js';
import { encrypt } from '../../models/database/encryption.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { hashToken } from '../../models/identity/secretTokens.js';
import type { NotificationDeliveryInput } from '../../workflows/contracts/notificationDelivery.js';
import { aNotification } from '../api/notifications/world.support.js';
import { aPushWorld, type PushWorld } from '../gateways/push.support.js';
import { asOwner } from '../support/owner.js';

/** Makes the stand-ins the push gateways of this process. */
export function aPushingWorker(): PushWorld {
  const push = aPushWorld();
  beforeAll(() => {
    const { apnsSettings, fcmSettings } = push;
    Object.assign(config, {
      apns: apnsSettings,
      FCM_SERVICE_ACCOUNT: fcmSettings.account,
      FCM_URL: fcmSettings.url,
      FCM_TOKEN_URL: fcmSettings.tokenUrl,
    });
  });
  beforeEach(async () => {
    await asOwner(
      `UPDATE push_gateways SET paused_at = NULL, paused_by = NULL, probe_at = NULL, pruning_halted_at = NULL,
         believed_since = '-infinity'`,
    );
    await asOwner('DELETE FROM push_delivery_records');
  });
  afterAll(closePushes);
  return push;
}

/** Delivers what is due in a channel. @returns the seconds until the next delivery */
export const deliver = (organizationId: string, channel: Platform): Promise<number | null> =>
  new MockActivityEnvironment().run<[NotificationDeliveryInput], number | null, typeof deliverNextPage>(
    deliverNextPage,
    {
      organizationId,
      channel,
    },
  );

/** Registers a phone of a person. @returns the id of its row */
export async function aRegisteredPhone(
  userId: string,
  token: string,
  { platform = 'ios', environment = 'production', confinedTo = null }: Partial<Registered> = {},
): Promise<string> {
  const id = uuidv7();
  await asOwner(
    `INSERT INTO push_tokens (id, user_id, confined_to, platform, environment, token_encrypted, token_hash, last_registered_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() - interval '1 day')`,
    [
      id,
      userId,
      confinedTo,
      platform,
      environment,
      encrypt(token, { table: 'push_tokens', column: 'token_encrypted', rowId: id }),
      hashToken(`${platform}:${token}`),
    ],
  );
  return id;
}

interface Registered {
  platform: Platform;
  environment: Environment;
  confinedTo: string | null;
}

/** A critical notification, which no preference and no quiet hours hold back. */
export const aCriticalOne = (organizationId: string, to: string): Promise<string> =>
  aNotification({ organizationId, to, event: 'membership_changed' });

/** The delivery records of a notification, by attempt. */
export const recordsOf = (notificationId: string) =>
  asOwner<{
    attempt: number;
    environment: string;
    outcome: string | null;
    error_code: string | null;
    gateway_id: string | null;
    waits: number | null;
  }>(
    `SELECT attempt, environment, outcome, error_code, gateway_id,
            round(extract(epoch FROM repeats_at - concluded_at))::int AS waits
       FROM push_delivery_records WHERE notification_id = $1 ORDER BY attempt, id`,
    [notificationId],
  );

export const deliveryOf = async (notificationId: string, channel: Platform = 'ios') =>
  (
    await asOwner<{ outcome: string | null; reason: string | null; waits: number | null }>(
      `SELECT outcome, reason, CASE WHEN outcome IS NULL THEN round(extract(epoch FROM due_at - now()))::int END AS waits
         FROM notification_deliveries WHERE notification_id = $1 AND channel = $2`,
      [notificationId, channel],
    )
  )[0];

export const phoneRow = async (id: string) =>
  (
    await asOwner<{ is_active: boolean; deactivated_reason: string | null; environment: string }>(
      'SELECT is_active, deactivated_reason, environment FROM push_tokens WHERE id = $1',
      [id],
    )
  )[0];

/** Makes all waiting deliveries and retries due now. */
export const letTimePass = async (organizationId: string): Promise<void> => {
  await asOwner(
    `UPDATE notification_deliveries SET due_at = now(), claimed_at = NULL WHERE organization_id = $1 AND outcome IS NULL`,
    [organizationId],
  );
  await asOwner(
    'UPDATE push_delivery_records SET repeats_at = now() WHERE organization_id = $1 AND repeats_at IS NOT NULL',
    [organizationId],
  );
  await asOwner('UPDATE push_gateways SET probe_at = now() WHERE probe_at IS NOT NULL');
};
