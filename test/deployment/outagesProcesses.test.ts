/** Temporal, the worker, the gateway or the mail server fails: what is accepted in the meantime, and that it is completed later. */
import type { Client } from '../support/api.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually } from '../support/platform.js';
import { type OwnStack, type Part, startOwnStack } from '../support/stack/ownStack.js';
import { aDraft, answered, pay, payAndSettle, outcomeOf, settles, statusOf } from '../support/stack/stories.js';
import { anInvoice, aPlatformAdmin, aWorld, type World } from '../support/world.js';

let stack: OwnStack;
let world: World;
let officer: Client;
let pids: Record<'api' | 'worker', number>;

beforeAll(async () => {
  stack = await startOwnStack();
  world = await aWorld({ members: 2 });
  await aProcessor(world);
  officer = stack.client(world.officer);
  await payAndSettle(officer, await aDraft(world, officer));
  pids = { api: stack.pid('api'), worker: stack.pid('worker') };
});

afterEach(async () => {
  for (const part of ['api', 'worker'] as const) {
    expect([part, stack.isRunning(part), stack.pid(part)]).toEqual([part, true, pids[part]]);
  }
  await eventually(
    () => asOwner('SELECT 1 FROM outbox WHERE dispatched_at IS NULL'),
    (rows) => rows.length === 0,
    60,
  );
  await expectSoundLedger();
});
afterAll(() => stack.close());

const IN_PROGRESS = { status: 409, code: 'remittance_in_progress', again: '5' };
const readiness = async () => (await stack.client({}).get('/readyz/')).body.checks as Record<string, string>;
const health = async () => {
  const { status, body } = await stack.client(await aPlatformAdmin()).get('/api/platform/health/');
  const checks: [string, string][] = body.checks.map((one: { name: string; status: string }) => [one.name, one.status]);
  return { status, ...(Object.fromEntries(checks) as Record<string, string>) };
};
const logIn = () => stack.client({}).post('/api/auth/login/', { email: 'nobody@example.org', password: 'whatever' });

type Outage = (part: Part, work: () => Promise<void>) => Promise<void>;

const stopped: Outage = async (part, work) => {
  await stack.stop(part);
  try {
    await work();
  } finally {
    await stack.start(part);
  }
};

/** Frozen (SIGSTOP): the process exists and does not answer. */
const frozen: Outage = async (part, work) => {
  stack.signal(part, 'SIGSTOP');
  await work().finally(() => stack.signal(part, 'SIGCONT'));
};

const OUTAGES: [string, Outage][] = [
  ['is stopped', stopped],
  ['hangs', frozen],
];

describe.each(OUTAGES)('while Temporal %s', (_how, outage) => {
  test('reads and log-ins work while Temporal is away, and payments are accepted and completed when it is back', async () => {
    const drafts = await Promise.all([aDraft(world, officer), aDraft(world, officer), aDraft(world, officer)]);
    await outage('temporal', async () => {
      const answers = await answered(() => Promise.all(drafts.map((id) => pay(officer, id))));
      expect(answers.map(outcomeOf)).toEqual(drafts.map(() => IN_PROGRESS));
      // Far more requests than connections: no request keeps a connection while it waits for Temporal.
      const waiting = Promise.all(drafts.flatMap((id) => [pay(officer, id), pay(officer, id), pay(officer, id)]));
      let isWaiting = true;
      void waiting.finally(() => (isWaiting = false));
      const reads = await answered(() => Promise.all(Array.from({ length: 12 }, () => statusOf(officer, drafts[0]))));
      expect(reads).toEqual(Array(12).fill('processing'));
      expect(isWaiting).toBe(true);
      expect((await logIn()).status).toBe(401);
      expect(await readiness()).toMatchObject({ database: 'ok', temporal: 'failed' });
      const silent = { temporal: 'failing', task_queues: 'failing', schedules: 'failing' };
      expect(await health()).toMatchObject({ status: 200, database: 'ok', migrations: 'ok', ...silent });
      expect((await waiting).map(outcomeOf)).toEqual(Array.from({ length: 9 }, () => IN_PROGRESS));
    });
    for (const id of drafts) {
      await settles(officer, id);
      expect(await stack.moved(id)).toHaveLength(1);
    }
    await eventually(readiness, ({ temporal }) => temporal === 'ok', 30);
    expect(await health()).toMatchObject({ status: 200, temporal: 'ok', schedules: 'ok' });
  });
});

describe.each(OUTAGES)('while the gateway %s', (_how, outage) => {
  test('a payment is in progress while the gateway is away, never declined, and charged once when it is back', async () => {
    const [id, invoice] = [
      await aDraft(world, officer),
      await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId }),
    ];
    await outage('gateway', async () => {
      expect(outcomeOf(await answered(() => pay(officer, id)))).toEqual(IN_PROGRESS);
      expect(await statusOf(officer, id)).toBe('processing');
      const page = await answered(() => stack.client(world.member).post(`/api/invoices/${invoice}/pay/`));
      expect(outcomeOf(page)).toEqual({ status: 503, code: 'unavailable', again: '10' });
    });
    await settles(officer, id);
    expect(await stack.moved(id)).toHaveLength(1);
    expect((await stack.client(world.member).post(`/api/invoices/${invoice}/pay/`)).status).toBe(201);
  });
});

test('requests are accepted while the worker is frozen, and their processes complete when it continues', async () => {
  const id = await aDraft(world, officer);
  await frozen('worker', async () => {
    expect(outcomeOf(await pay(officer, id))).toEqual(IN_PROGRESS);
    expect(await statusOf(officer, id)).toBe('processing');
    // Longer than Temporal waits for one worker before it offers the task to the next.
    await new Promise((resolve) => setTimeout(resolve, 12_000));
  });
  await settles(officer, id);
  expect(await stack.moved(id)).toHaveLength(1);
});

test('requests are accepted while there is no worker, and the next worker completes their processes', async () => {
  const drafts = await Promise.all([aDraft(world, officer), aDraft(world, officer)]);
  await stack.stop('worker');
  const answers = await Promise.all(drafts.map((id) => pay(officer, id)));
  expect(answers.map(outcomeOf)).toEqual(drafts.map(() => IN_PROGRESS));
  // Without a worker there is no relay, either.
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input) VALUES ($1, 'markOverdue', 'overdue/no-worker', $2)`,
    [world.organizationId, JSON.stringify({ organizationId: world.organizationId, day: '2026-01-01' })],
  );
  await stack.start('worker');
  pids.worker = stack.pid('worker');
  for (const id of drafts) {
    await settles(officer, id);
    expect(await stack.moved(id)).toHaveLength(1);
  }
});

describe.each(OUTAGES)('while the mail server %s', (_how, outage) => {
  test('notices wait while the mail server is away, and each is mailed once when it is back', async () => {
    const { chapterId, memberships } = world;
    const mailed = async () => (await stack.mails()).filter(({ subject }) => subject.startsWith('Overdue')).length;
    const before = await mailed();
    const notices = () =>
      asOwner<{ outcome: string | null }>(
        `SELECT d.outcome FROM notifications n JOIN notification_deliveries d ON d.notification_id = n.id AND d.channel = 'email'
          WHERE n.event_type = 'invoice_overdue' ORDER BY n.id OFFSET $1`,
        [before],
      );
    await outage('mailbox', async () => {
      for (const membershipId of memberships) await anInvoice(world, { chapterId, membershipId, dueIn: -3 });
      await asOwner(
        `INSERT INTO outbox (organization_id, process, workflow_id, input) VALUES ($1, 'markOverdue', $2, $3)`,
        [
          world.organizationId,
          `overdue/mail-${before}`,
          JSON.stringify({ organizationId: world.organizationId, day: new Date().toISOString().slice(0, 10) }),
        ],
      );
      await eventually(notices, (rows) => rows.length === memberships.length && rows.every(({ outcome }) => !outcome));
      await payAndSettle(officer, await aDraft(world, officer));
      expect((await logIn()).status).toBe(401);
    });
    await eventually(notices, (rows) => rows.every(({ outcome }) => outcome === 'sent'), 90);
    expect((await mailed()) - before).toBe(memberships.length);
  });
});
