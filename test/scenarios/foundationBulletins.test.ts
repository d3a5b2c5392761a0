/** The process that mails a bulletin of a foundation: when it is due, unscheduled, cancelled and on hold. */
import { processId } from '../../api/processes/id.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { temporal } from '../../gateways/temporal/client.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { apiWorld } from '../support/apiWorld.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';

const stage = apiWorld();
const { world } = stage;
queueWorkers(['bulk'], { relay: true });

const DONORS = ['donor-1@example.org', 'donor-2@example.org'];
let catcher: Catcher;
let foundation: Foundation;

beforeAll(async () => {
  foundation = await aFoundation(world);
  catcher = await startMailServer();
  await asOwner(
    `INSERT INTO donors (organization_id, email, first_name, last_name, gift_count)
     SELECT $1, unnest($2::text[]), 'Ada', 'Lovelace', 1`,
    [world.organizationId, DONORS],
  );
});
afterAll(() => stopMailServer(catcher));

const admin = () => stage.as(foundation.admin);
const path = (id = '', step = '') => `/api/foundation/bulletins/${id && `${id}/`}${step && `${step}/`}`;
const workflowOf = (id: string, round = 1) => `foundation-bulletin/${id}/${round}`;
const draft = async (more: Record<string, unknown> = {}): Promise<string> => {
  const made = await admin().post(path(), { subject: 'News', body_text: 'Thank you', audience: 'all_donors', ...more });
  return made.body.id;
};
const ended = (id: string, status: string, round = 1) =>
  eventually(
    () =>
      temporal()
        .workflow.getHandle(workflowOf(id, round))
        .describe()
        .catch(() => null),
    (seen) => seen?.status.name === status,
    60,
  );
const resultOf = (id: string, round = 1) => temporal().workflow.getHandle(workflowOf(id, round)).result();
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const bulletin = async (id: string) => (await admin().get(path(id))).body;

test('a scheduled bulletin is unscheduled, scheduled again and sent when it is due', async () => {
  const id = await draft();
  await admin().post(path(id, 'schedule'), { send_at: soon() });
  await ended(id, 'RUNNING');
  expect(await admin().get(`/api/processes/${processId(workflowOf(id))}/`)).toMatchObject({
    status: 200,
    body: { kind: 'foundation_bulletin', subject: { id } },
  });
  expect((await admin().post(path(id, 'unschedule'))).status).toBe(200);
  await ended(id, 'COMPLETED');
  expect(await resultOf(id)).toBe('stopped');
  await recordHistory(workflowOf(id), 'foundationBulletin-unscheduled');
  await admin().post(path(id, 'schedule'), { send_at: new Date(Date.now() + 3_000).toISOString() });
  await ended(id, 'COMPLETED', 2);
  expect(await resultOf(id, 2)).toBe('sent');
  await recordHistory(workflowOf(id, 2), 'foundationBulletin-sent-when-due');
  expect(
    catcher.mails
      .list()
      .flatMap(({ to }) => to)
      .sort(),
  ).toEqual(DONORS);
});

test('an admin who cancels the process of a scheduled bulletin gets a draft', async () => {
  const id = await draft();
  await admin().post(path(id, 'schedule'), { send_at: soon() });
  await ended(id, 'RUNNING');
  const cancelled = await admin().post(`/api/processes/${processId(workflowOf(id))}/cancel/`);
  expect([cancelled.status, cancelled.body.outcome]).toEqual([200, expect.stringMatching(/^cancell(ed|ing)$/)]);
  await eventually(
    () => bulletin(id),
    ({ status }) => status === 'draft',
  );
  await eventually(
    () => temporal().workflow.getHandle(workflowOf(id)).describe(),
    ({ status }) => status.name !== 'RUNNING',
    60,
  );
  await recordHistory(workflowOf(id), 'foundationBulletin-cancelled');
});

test('a bulletin that is late by more than 12 hours ends its process on hold, and the next round sends it', async () => {
  const id = await draft();
  await asOwner(
    `UPDATE foundation_bulletins SET status = 'scheduled', send_at = now() - interval '13 hours', round = 1 WHERE id = $1`,
    [id],
  );
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input)
     VALUES ($1::uuid, 'foundationBulletin', $2, jsonb_build_object('organizationId', $1::text, 'bulletinId', $3::text, 'round', '1'))`,
    [world.organizationId, workflowOf(id), id],
  );
  await ended(id, 'COMPLETED');
  expect(await resultOf(id)).toBe('held');
  await recordHistory(workflowOf(id), 'foundationBulletin-held');
  expect((await admin().post(path(id, 'send'))).body).toMatchObject({ status: 'sending', held_at: null });
  await ended(id, 'COMPLETED', 2);
  expect(await resultOf(id, 2)).toBe('sent');
});
