/** The Schedule that checks every SAML connection once a day. */
import { config } from '../../config.js';
import { makeKeyPair } from '../../gateways/saml/certificate.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { aSamlWorld } from '../support/samlWorld.js';

let platform: Platform;

beforeAll(async () => {
  Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
  platform = await startPlatform();
});
afterAll(async () => {
  await deleteSchedules();
  await platform.close();
});

const YEARS_MS = 20 * 365 * 86_400_000;

test('a run warns the admins of each organization whose certificate expires soon, and no others', async () => {
  const ending = await makeKeyPair('ending', Date.now() - YEARS_MS + 20 * 86_400_000);
  const worlds = [
    await aSamlWorld(platform.api.url),
    await aSamlWorld(platform.api.url),
    await aSamlWorld(platform.api.url),
  ];
  for (const world of worlds.slice(0, 2)) {
    const path = `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/`;
    await platform.client(world.admin).patch(path, { certificate: ending.certificate });
  }
  await restingSchedules();
  const handle = temporal().schedule.getHandle(scheduleId('check-saml'));
  const [calendar] = (await handle.describe()).spec.calendars ?? [];
  expect(calendar).toMatchObject({ hour: [expect.objectContaining({ start: 3 })] });
  await handle.trigger();
  const readWarnings = () =>
    asOwner<{ user_id: string }>(`SELECT user_id FROM account_notices WHERE kind = 'certificate_ending' ORDER BY id`);
  await eventually(readWarnings, (rows) => rows.length === 2);
  const { info } = await handle.describe();
  const { workflow } = info.recentActions[0]?.action ?? {};
  const { workflowId } = workflow as { workflowId: string };
  await temporal().workflow.getHandle(workflowId).result();
  expect(new Set((await readWarnings()).map(({ user_id }) => user_id))).toEqual(
    new Set(worlds.slice(0, 2).map(({ admin }) => admin.userId)),
  );
  await recordHistory(workflowId, 'checkSamlConnections-checks-all');
});
