/** How intents are dispatched when dispatches fail, and how long rows are kept. */
import { enqueue, dispatchWaiting } from '../../models/database/outbox.js';
import { pruneOutbox } from '../../models/database/pruneOutbox.js';
import { inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { applyProcessorEvent } from '../../workflows/contracts/index.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aWorld, type World } from '../support/world.js';

let world: World;

beforeAll(async () => {
  world = await aWorld({ members: 1 });
});
beforeEach(() => asOwner('DELETE FROM outbox'));
afterAll(closeOwner);

const write = (count: number) =>
  inTenant(world.organizationId, async () => {
    for (let n = 0; n < count; n += 1) await enqueue(applyProcessorEvent, { webhookEventId: uuidv7() });
  });

/** The rows in order; `waits` is in seconds from now. */
const outbox = () =>
  asOwner<{ dispatched: boolean; attempts: number; last_error: string | null; waits: number }>(
    `SELECT dispatched_at IS NOT NULL AS dispatched, attempts, last_error,
            extract(epoch FROM not_before - now())::float8 AS waits FROM outbox ORDER BY id`,
  );

test('a row that fails delays no other row, and waits longer each time', async () => {
  await write(3);
  const [first] = await asOwner<{ workflow_id: string }>('SELECT workflow_id FROM outbox ORDER BY id LIMIT 1');
  const dispatch = async (_: unknown, { workflowId }: { workflowId: string }) => {
    if (workflowId === first?.workflow_id) throw new TypeError('with a secret in its message');
  };
  expect(await dispatchWaiting(100, dispatch)).toEqual({ claimed: 3, dispatched: 2 });
  expect((await outbox()).map(({ dispatched, attempts, last_error }) => [dispatched, attempts, last_error])).toEqual([
    [false, 1, 'TypeError'],
    [true, 0, null],
    [true, 0, null],
  ]);
  await asOwner('UPDATE outbox SET not_before = now(), attempts = 4');
  await dispatchWaiting(100, dispatch);
  const waits = (await outbox())[0]?.waits ?? 0;
  // The wait doubles with each failure: after four it was 8 seconds.
  expect(waits).toBeGreaterThan(8);
  expect(waits).toBeLessThanOrEqual(16);
});

test('a batch is not tried row by row when Temporal does not answer, and is tried again after its lease', async () => {
  await write(45);
  let tried = 0;
  const away = async () => {
    tried += 1;
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    throw new Error('nobody answers');
  };
  expect(await dispatchWaiting(100, away)).toEqual({ claimed: 45, dispatched: 0 });
  expect(tried).toBe(10);
  const rows = await outbox();
  expect(rows.filter(({ attempts }) => attempts === 1)).toHaveLength(10);
  for (const { waits } of rows.filter(({ attempts }) => attempts === 0)) expect(waits).toBeLessThanOrEqual(30);
});

test('rows that are refused at once do not delay the rows behind them', async () => {
  await write(41);
  const rows = await asOwner<{ workflow_id: string }>('SELECT workflow_id FROM outbox ORDER BY id DESC LIMIT 1');
  const dispatch = async (_: unknown, { workflowId }: { workflowId: string }) => {
    if (workflowId !== rows[0]?.workflow_id) throw new Error('there is no such process');
  };
  expect(await dispatchWaiting(100, dispatch)).toEqual({ claimed: 41, dispatched: 1 });
});

test('rows of a batch are dispatched concurrently, each once', async () => {
  await write(45);
  const seen: string[] = [];
  let now = 0;
  let maxRunning = 0;
  const dispatch = async (_: unknown, { id }: { id: string }) => {
    maxRunning = Math.max(maxRunning, (now += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(id);
    now -= 1;
  };
  expect(await dispatchWaiting(100, dispatch)).toEqual({ claimed: 45, dispatched: 45 });
  expect(new Set(seen).size).toBe(45);
  expect(seen).toHaveLength(45);
  expect(maxRunning).toBe(10);
  expect(await dispatchWaiting(100, dispatch)).toEqual({ claimed: 0, dispatched: 0 });
});

test('dispatched rows are deleted after a week, and waiting rows never', async () => {
  await write(4);
  await asOwner(`UPDATE outbox SET created_at = now() - interval '9 days'`);
  await asOwner(`UPDATE outbox SET dispatched_at = now() - interval '8 days'
                  WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT 2)`);
  await asOwner(`UPDATE outbox SET dispatched_at = now() - interval '6 days'
                  WHERE id = (SELECT max(id::text)::uuid FROM outbox)`);
  expect(await pruneOutbox()).toBe(2);
  expect((await outbox()).map(({ dispatched }) => dispatched)).toEqual([false, true]);
});

test("old rows beyond one statement's limit are deleted as well", async () => {
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, dispatched_at)
     SELECT $1, 'applyProcessorEvent', 'old/' || n, '{}', now() - interval '8 days' FROM generate_series(1, 2500) n`,
    [world.organizationId],
  );
  expect(await pruneOutbox()).toBe(2500);
  expect(await outbox()).toEqual([]);
});
