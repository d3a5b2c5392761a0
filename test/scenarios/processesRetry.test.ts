import { closeMail } from '../../activities/mail.js';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { temporal } from '../../gateways/temporal/client.js';
import { inTenant } from '../../models/database/tenancy.js';
import { markInvoicesOverdue } from '../../models/finances/overdue/markInvoicesOverdue.js';
import { payRemittance } from '../../workflows/contracts/index.js';
import type { Client } from '../support/api.js';
import { checkIncidents, incidentsOf } from '../support/incidents.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let admin: Client;
let officer: Client;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  await aProcessor(world);
  [admin, officer] = [platform.client(world.admin), platform.client(world.officer)];
});

async function aRemittance(): Promise<string> {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  return (await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations })).body.id;
}

/** A payment whose provider cannot be reached. @returns the remittance and its process */
async function aStuckPayment(): Promise<{ remittance: string; id: string; paying: Promise<unknown> }> {
  const remittance = await aRemittance();
  await platform.fault({ kind: 'drop_before_capture', times: 1_000, remittance_id: remittance });
  const paying = officer.post(`/api/billing/remittances/${remittance}/pay/`, { payment_method: 'pm_card_visa' });
  const id = await processOf(remittance);
  await eventually(
    () => read(id),
    ({ attempts }) => attempts > 1,
  );
  return { remittance, id, paying };
}

const processOf = async (remittance: string): Promise<string> => {
  const { results } = await eventually(
    async () => (await admin.get(`/api/processes/?subject=${remittance}&kind=remittance_payment`)).body,
    ({ count }) => count > 0,
  );
  return results[0].id;
};
const read = async (id: string) => (await admin.get(`/api/processes/${id}/`)).body;
const retry = (id: string) => admin.post(`/api/processes/${id}/retry/`);
const workflowOf = async (id: string) => temporal().workflow.getHandle((await read(id)).workflow_id);

test('a payment whose provider does not answer is described in words, without internal names', async () => {
  const { id, paying } = await aStuckPayment();
  const story = await read(id);
  expect(story).toMatchObject({
    kind: 'remittance_payment',
    status: 'running',
    stage: 'charging',
    subject: { type: 'remittance' },
    organization: world.organizationId,
    chapter: world.chapterId,
    last_failure: { code: 'provider_silent' },
    money_moved: 'unknown',
    actions: [
      { action: 'retry', safe: true },
      { action: 'cancel', safe: false },
    ],
  });
  expect(story.stages.map(({ stage }: { stage: string }) => stage)).toEqual(['started', 'opening', 'charging']);
  expect(story.waiting_for.detail).toContain('payment provider');
  expect(JSON.stringify(story)).not.toMatch(/Stripe|StripeConnection|socket|at Object|stack/);
  await platform.clearFaults();
  await paying;
});

test('a payment is stuck from its 5th failed attempt on, and a later retry completes it', async () => {
  const { id, remittance, paying } = await aStuckPayment();
  expect((await admin.get('/api/processes/?stuck=true')).body.results).toEqual([]);
  const stuck = await eventually(
    async () => (await admin.get('/api/processes/?stuck=true')).body,
    ({ count }) => count > 0,
    40,
  );
  const label = expect.stringMatching(/^Remittance of .+, 1 invoice$/);
  expect(stuck).toMatchObject({
    complete: true,
    results: [{ id, label, stuck: true, stuck_reason: 'attempts', money_moved: 'unknown' }],
  });
  const others = await admin.get('/api/processes/?stuck=false&status=running');
  expect(others.body.results).toEqual([]);

  const inVain = (await retry(id)).body;
  expect(inVain).toMatchObject({ outcome: 'attempted_and_failed', process: { stuck: true, stuck_reason: 'attempts' } });
  expect(inVain.process.attempts).toBeGreaterThan(5);
  await checkIncidents();
  await checkIncidents();
  expect((await admin.get('/api/processes/?stuck=true')).body.results).toMatchObject([{ id }]);
  expect((await admin.get('/api/processes/?stuck=false&status=running')).body.results).toEqual([]);
  const told = await asOwner(
    `SELECT recipient_id, title, target_url FROM notifications
      WHERE organization_id = $1 AND notification_type = 'process_stuck'`,
    [world.organizationId],
  );
  expect(told).toEqual([
    { recipient_id: world.admin.userId, title: 'Stuck: remittance payment', target_url: `/processes/${id}` },
  ]);

  // The next attempt is far enough away that it does not complete the process before this retry.
  await eventually(
    () => read(id),
    ({ next_attempt_at }) => next_attempt_at !== null && Date.parse(next_attempt_at) > Date.now() + 3_000,
  );
  await platform.clearFaults();
  expect(await retry(id)).toMatchObject({
    status: 200,
    body: {
      outcome: 'completed',
      process: { status: 'completed', stage: 'settled', money_moved: 'yes', stuck: false },
    },
  });
  expect(await incidentsOf(world.organizationId)).toEqual([]);
  expect((await admin.get('/api/processes/?stuck=true')).body).toMatchObject({ count: 0, results: [] });
  expect(await platform.moved(remittance)).toHaveLength(1);
  expect(await retry(id)).toMatchObject({ status: 409, body: { code: 'process_finished' } });
  await paying;
});

test('a retry while the provider is still away reports that', async () => {
  const { id, paying } = await aStuckPayment();
  const { body } = await retry(id);
  expect(body).toMatchObject({ outcome: 'attempted_and_failed', process: { status: 'running' } });
  expect(body.process.attempts).toBeLessThanOrEqual(3);
  await platform.clearFaults();
  await paying;
});

test('a retry keeps the result of an attempt that is running', async () => {
  const { id, remittance, paying } = await aStuckPayment();
  // The next attempt begins two seconds after the second.
  await platform.clearFaults();
  await platform.fault({ kind: 'hold', remittance_id: remittance });
  await platform.held();
  const retrying = retry(id);
  // Long enough for the request to be made during the attempt; a later one has the same outcome.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await platform.release();
  expect(await retrying).toMatchObject({ status: 200, body: { outcome: 'completed' } });
  const { events } = await (await workflowOf(id)).fetchHistory();
  const failures = (events ?? []).map(({ activityTaskStartedEventAttributes: step }) => step?.lastFailure);
  // A step whose result was discarded has timed out.
  expect(failures.filter((failure) => failure?.timeoutFailureInfo)).toEqual([]);
  expect(failures.filter((failure) => failure)).toHaveLength(1);
  expect(await platform.moved(remittance)).toHaveLength(1);
  await paying;
});

test('a process that runs longer than its kind usually takes is stuck', async () => {
  const { expectedMinutes } = payRemittance;
  const { id, paying } = await aStuckPayment();
  try {
    Object.assign(payRemittance, { expectedMinutes: 0.02 });
    const { results } = await eventually(
      async () => {
        await checkIncidents();
        return (await admin.get('/api/processes/?stuck=true')).body;
      },
      ({ count }) => count > 0,
    );
    expect(results).toMatchObject([{ id, stuck: true, stuck_reason: 'age' }]);
    // A kind without an expected duration.
    Object.assign(payRemittance, { expectedMinutes: null });
    await checkIncidents();
    expect((await admin.get('/api/processes/?stuck=true')).body.results).toEqual([]);
    expect((await admin.get('/api/processes/?stuck=false&status=running')).body.results).toMatchObject([{ id }]);
  } finally {
    Object.assign(payRemittance, { expectedMinutes });
  }
  await platform.clearFaults();
  await paying;
});

test('a payment whose process an operator terminated continues where it was, and charges once', async () => {
  const { id, remittance, paying } = await aStuckPayment();
  await (await workflowOf(id)).terminate('An operator was hasty.');
  expect(await read(id)).toMatchObject({
    status: 'terminated',
    money_moved: 'unknown',
    waiting_for: null,
    actions: [
      { action: 'retry', safe: true },
      { action: 'cancel', safe: false },
    ],
  });
  await platform.clearFaults();
  const answers = await Promise.all([retry(id), retry(id)]);
  expect(answers.map(({ status }) => status)).toContain(200);
  const end = await eventually(
    () => read(id),
    ({ status }) => status === 'completed',
  );
  expect(end.stages.map(({ stage }: { stage: string }) => stage)).toEqual([
    'started',
    'opening',
    'charging',
    'settling',
    'settled',
  ]);
  expect(await platform.moved(remittance)).toHaveLength(1);
  const shown = await listProcesses(
    admin,
    `subject=${remittance}`,
    ({ results }) => results[0]?.status === 'completed',
  );
  expect(shown.results).toMatchObject([{ id }]);
  await paying;
});

test('a payment whose step an operator failed continues with that step', async () => {
  const remittance = await aRemittance();
  await platform.fault({ kind: 'hold', remittance_id: remittance });
  const paying = officer.post(`/api/billing/remittances/${remittance}/pay/`, { payment_method: 'pm_card_visa' });
  await platform.held();
  const id = await processOf(remittance);
  const { workflowId, raw } = await (await workflowOf(id)).describe();
  // Fails the activity, like `temporal activity fail`.
  await temporal().workflowService.respondActivityTaskFailedById({
    namespace: config.TEMPORAL_NAMESPACE,
    workflowId,
    activityId: raw.pendingActivities?.[0]?.activityId ?? '',
    failure: { message: 'card 4242 of Jordan', applicationFailureInfo: { type: 'Hasty', nonRetryable: true } },
  });
  const failed = await eventually(
    () => read(id),
    ({ status }) => status === 'failed',
  );
  expect(failed).toMatchObject({
    stage: 'charging',
    attempts: 1,
    last_failure: { code: 'unexpected', at: expect.any(String) },
    money_moved: 'unknown',
    actions: [
      { action: 'retry', safe: true },
      { action: 'cancel', safe: false },
    ],
  });
  expect(JSON.stringify(failed)).not.toMatch(/card 4242|Jordan|Hasty/);
  expect((await listProcesses(admin, 'status=failed')).results).toMatchObject([{ id }]);

  await platform.release();
  expect(await retry(id)).toMatchObject({ body: { outcome: 'completed', process: { status: 'completed' } } });
  expect(await platform.moved(remittance)).toHaveLength(1);
  await listProcesses(admin, 'status=failed', ({ count }) => count === 0);
  await paying;
});

describe('notifications', () => {
  let mailbox: Catcher | undefined;
  const smtpUrl = config.SMTP_URL;
  afterEach(async () => {
    Object.assign(config, { SMTP_URL: smtpUrl });
    closeMail();
    await mailbox?.close();
  });

  test('notifications that wait for the mail server are reported as such, and a retry mails each once', async () => {
    Object.assign(config, { SMTP_URL: 'smtp://127.0.0.1:1' });
    closeMail();
    await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn: -3 });
    await inTenant(world.organizationId, () => markInvoicesOverdue('2999-01-01'));
    const { results } = await eventually(
      async () => (await admin.get('/api/processes/?kind=notification_delivery&status=running')).body,
      ({ count }) => count > 0,
    );
    const { id } = results[0];
    const story = await eventually(
      () => read(id),
      ({ attempts, waiting_for }) => attempts > 1 && waiting_for.code === 'next_attempt',
    );
    expect(story).toMatchObject({ last_failure: { code: 'mail_unavailable' }, money_moved: 'no' });
    expect(Date.parse(story.next_attempt_at)).toBeGreaterThan(Date.now() - 1_000);
    expect(story.waiting_for).toMatchObject({
      detail: expect.stringContaining('mail server'),
      until: story.next_attempt_at,
    });

    mailbox = await startCatcher({ smtpPort: 0, httpPort: 0 });
    Object.assign(config, { SMTP_URL: mailbox.smtpUrl });
    closeMail();
    expect(await retry(id)).toMatchObject({ body: { outcome: 'completed', process: { status: 'completed' } } });
    // Other notifications of this file are mailed, too.
    expect(mailbox.mails.list().filter(({ subject }) => subject.startsWith('Overdue'))).toHaveLength(1);
  });
});
