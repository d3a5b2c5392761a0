import { inPlatform } from '../../../models/database/tenancy.js';
import { pauseGateway, resumeGateway } from '../../../models/notifications/push/gatewayState.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aPlatformAdmin, type World } from '../../support/world.js';

const stage = apiWorld();
const PATH = '/api/notifications/platform-push-health/';

/** Creates push attempts at one phone of an organization's member, `ago` before now. */
async function attempts({ organizationId, member }: World, outcomes: (string | null)[], ago = '1 hour') {
  const [phone] = await asOwner<{ id: string }>(
    `INSERT INTO push_tokens (user_id, platform, token_encrypted, token_hash)
     VALUES ($1, 'ios', 'x', translate(encode(sha256(uuidv7()::text::bytea), 'base64'), '+/=', '-_'))
     RETURNING id`,
    [member.userId],
  );
  for (const [n, outcome] of outcomes.entries())
    await asOwner(
      `INSERT INTO push_delivery_records
         (organization_id, token_id, platform, environment, attempt, outcome, claimed_at, concluded_at)
       VALUES ($1, $2, 'ios', 'production', $3, $4, now() - $5::interval, CASE WHEN $4::text IS NOT NULL THEN now() END)`,
      [organizationId, phone?.id, n + 1, outcome, ago],
    );
}

test('platform admins see the counts of one day over all organizations', async () => {
  await attempts(stage.world, ['success', 'success', 'unregistered', null]);
  await attempts(stage.other, ['success', 'transient_failure', 'skipped_no_credentials', 'suppressed_by_preference']);
  await attempts(stage.other, ['success'], '25 hours');
  const none = {
    success: 0,
    unregistered: 0,
    transient_failure: 0,
    skipped_no_credentials: 0,
    suppressed_by_preference: 0,
  };
  const ios = {
    success: 3,
    unregistered: 1,
    transient_failure: 1,
    skipped_no_credentials: 1,
    suppressed_by_preference: 1,
  };
  expect(await stage.as(await aPlatformAdmin()).get(PATH)).toMatchObject({
    status: 200,
    body: { since: expect.any(String), platforms: { ios, android: none }, configured: { ios: false, android: false } },
  });
});

test('platform admins see whether a gateway is paused and whether pruning is halted', async () => {
  const fine = { paused_at: null, paused_reason: null, next_probe_at: null, pruning_halted_at: null };
  const admin = stage.as(await aPlatformAdmin());
  const gateways = async () => (await admin.get<{ gateways: object }>(PATH)).body.gateways;
  expect(await gateways()).toEqual({ ios: fine, android: fine });
  await inPlatform(() => pauseGateway('ios', 'InvalidProviderToken'));
  await asOwner(`UPDATE push_gateways SET pruning_halted_at = now() WHERE platform = 'android'`);
  expect(await gateways()).toEqual({
    ios: {
      ...fine,
      paused_at: expect.stringMatching(/Z$/),
      paused_reason: 'InvalidProviderToken',
      next_probe_at: expect.stringMatching(/Z$/),
    },
    android: { ...fine, pruning_halted_at: expect.stringMatching(/Z$/) },
  });
  await inPlatform(() => resumeGateway('ios'));
  await asOwner(`UPDATE push_gateways SET pruning_halted_at = NULL WHERE platform = 'android'`);
  expect(await gateways()).toEqual({ ios: fine, android: fine });
});

test('other people do not see the push health', async () => {
  expect((await stage.admin.get(PATH)).status).toBe(403);
  expect((await stage.member.get(PATH)).status).toBe(403);
  expect((await stage.nobody.get(PATH)).status).toBe(401);
});
