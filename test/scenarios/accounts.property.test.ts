/**
 * Random walks over payers' accounts: each calls operations one after the other, or several at once. A failing walk is shrunk and
 * printed with its seed: PROPERTY_SEED=<seed> repeats that walk with the same number of steps.
 */
import fc from 'fast-check';
import { sequelize } from '../../models/database/connection.js';
import { inTenant } from '../../models/database/tenancy.js';
import { readInvariants } from '../../models/finances/checkLedger.js';
import type { Payer } from '../../models/finances/credit/payer.js';
import { explainCredit } from '../../models/finances/explain/explainCredit.js';
import { explainInvoice } from '../../models/finances/explain/explainInvoice.js';
import type { Explanation } from '../../models/finances/explain/explanation.js';
import { bothAccounts, type Told } from '../support/accounts.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { casesOf, isRepeated, SEED } from '../support/seed.js';
import { type AccountStep, accountStep } from '../support/walk/accountSteps.js';
import { AccountWalker } from '../support/walk/accountWalker.js';
import { Walks } from '../support/walk/walks.js';

/**
 * A run takes 2,000 steps in all, in 16 organizations, each with a seed of its own. That is enough for every kind of entry to occur,
 * which is checked below. In the release tier twenty walks take 500 steps each; PROPERTY_STEPS sets another number.
 */
const SEEDS = casesOf({ test: 16, release: 20 });
const STEPS = Number(process.env['PROPERTY_STEPS'] ?? casesOf({ test: 125, release: 500 }));
/** The number of steps of a walk whose steps run at the same time. */
const STEPS_AT_ONCE = Number(process.env['PROPERTY_STEPS'] ?? casesOf({ test: 60, release: 500 }));
const AT_ONCE = 4;
/** The rules are checked after this many steps, and at the end. */
const STRIDE = 100;
/** Number of steps that run at the same time. */
const MEETING = 5;
/** Time limit of a test, which includes shrinking a failing walk. */
const LIMIT_MS = casesOf({ test: 240_000, release: 1_200_000 });

const seeds = Array.from({ length: isRepeated ? 1 : SEEDS }, (_, n) => SEED + n);

/** Checks the rules for everything that a walk changes, in one query. */
const BROKEN = readInvariants()
  .filter(({ examines }) => !/^(outbox|webhook_events)/.test(examines))
  .map(({ name, query }) => `SELECT '${name.replaceAll("'", "''")}' AS rule, to_jsonb(v) AS row FROM (${query}) v`)
  .join('\nUNION ALL\n');

afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

/** Limits the check to rows of this walk: other walks check their own. Rows of a walk that is being shrunk stay. */
async function expectSound({ organizationId }: AccountWalker): Promise<void> {
  const broken = await asOwner<{ row: { organization_id: string } }>(BROKEN);
  const own = broken.filter(({ row }) => row.organization_id === organizationId);
  if (own.length > 0) throw new Error(`Rules are broken: ${JSON.stringify(own)}`);
  await expectExplained(organizationId);
  await expectOneAccount(organizationId);
}

/** The sum of an account's explanation is its balance. */
async function expectExplained(organizationId: string): Promise<void> {
  const invoices = await asOwner<{ id: string }>('SELECT id FROM chapter_invoices WHERE organization_id = $1', [
    organizationId,
  ]);
  const payers = await asOwner<Payer>(
    `SELECT DISTINCT chapter_id AS "chapterId", membership_id AS "membershipId" FROM chapter_account_credits WHERE organization_id = $1`,
    [organizationId],
  );
  await inTenant(organizationId, async () => {
    for (const { id } of invoices) expectToAddUp(id, await explainInvoice(id));
    for (const payer of payers) expectToAddUp(payer, await explainCredit(payer));
  });
}

function expectToAddUp(subject: unknown, { balance_cents, entries }: Explanation<string>): void {
  const sum = entries.reduce((cents, entry) => cents + Number(entry.effect_cents), 0);
  if (sum === balance_cents && (entries.at(-1)?.running_balance_cents ?? 0) === balance_cents) return;
  throw new Error(
    `${JSON.stringify(subject)} is explained as ${sum}, not ${balance_cents}: ${JSON.stringify(entries)}`,
  );
}

/** A printed statement says the same as the account's list; where a reduction exceeded the balance, only the entries' cents differ. */
async function expectOneAccount(organizationId: string): Promise<void> {
  const members = await asOwner<{ id: string }>(
    `SELECT DISTINCT membership_id AS id FROM chapter_invoices WHERE organization_id = $1 AND membership_id IS NOT NULL`,
    [organizationId],
  );
  const comparable = ({ entries, due, available }: { entries: Told[]; due: number; available: number }) => ({
    due,
    available,
    entries: entries.map(({ kind, day, credit }) => `${kind} ${day} ${credit}`).sort(),
  });
  await inTenant(organizationId, async () => {
    for (const { id } of members) {
      const { listed, printed } = await bothAccounts(id, 'UTC');
      expect(comparable(printed)).toEqual(comparable(listed));
    }
  });
}

let stepsTaken = 0;
async function walk(steps: AccountStep[]): Promise<void> {
  const walker = await AccountWalker.begin();
  for (const [n, step] of steps.entries()) {
    await walker.take(step);
    stepsTaken += 1;
    if (n % STRIDE === STRIDE - 1) await expectSound(walker);
  }
  await expectSound(walker);
}

const walks = fc.asyncProperty(new Walks(accountStep, STEPS, STEPS), walk);

/**
 * Runs several walks at once; the first one that fails runs again alone, and is shrunk.
 * @throws Error of the walk, also when it fails only beside other walks
 */
async function walkAll(): Promise<void> {
  const left = [...seeds];
  const failing: { seed: number; error: unknown }[] = [];
  const follow = async (): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined && failing.length === 0; seed = left.shift()) {
      const { failed, errorInstance } = await fc.check(walks, { seed, numRuns: 1, endOnFailure: true });
      if (failed) failing.push({ seed, error: errorInstance });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, follow));
  for (const { seed, error } of failing.slice(0, 1)) {
    await fc.assert(walks, { seed, numRuns: 1, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true });
    throw new Error(`PROPERTY_SEED=${seed} failed beside other walks, but not alone.`, { cause: error });
  }
}

test(
  'every account adds up after invoices, payments, credit, refunds, discounts, voids and departures in any order',
  async () => {
    const started = Date.now();
    try {
      await walkAll();
    } finally {
      const seconds = Math.round((Date.now() - started) / 1000);
      process.stderr.write(`Walked ${stepsTaken} steps in ${seconds} s; PROPERTY_SEED=${SEED} to ${seeds.at(-1)}.\n`);
    }
    expect(stepsTaken).toBe(seeds.length * STEPS);
    if (isRepeated) return;
    const reached = await asOwner<{ kind: string }>('SELECT DISTINCT kind FROM chapter_account_credits ORDER BY kind');
    expect(reached.map(({ kind }) => kind)).toEqual([
      'applied',
      'issued',
      'moved_in',
      'moved_out',
      'recovered',
      'refunded',
      'reversed',
      'shortfall',
    ]);
    expect(await asOwner('SELECT 1 FROM payment_records WHERE charged_invoice_id IS NOT NULL LIMIT 1')).toHaveLength(1);
    const disputes = await asOwner<{ status: string }>('SELECT DISTINCT status FROM payment_disputes ORDER BY status');
    expect(disputes.map(({ status }) => status)).toEqual(['lost', 'open', 'won']);
    const refunds = await asOwner<{ status: string }>('SELECT DISTINCT status FROM refunds ORDER BY status');
    expect(refunds.map(({ status }) => status)).toEqual(['failed', 'processing', 'reserved', 'succeeded']);
    for (const table of ['payment_plans', 'capture_resolutions', 'terminal_settlements', 'money_cases'])
      expect([table, (await asOwner(`SELECT 1 FROM ${table} LIMIT 1`)).length]).toEqual([table, 1]);
  },
  2 * LIMIT_MS,
);

/** A simultaneous step may be refused, or ended by Postgres with a request to retry; then it has changed nothing. */
async function takeAtOnce(walker: AccountWalker, steps: AccountStep[]): Promise<number> {
  const outcomes = await Promise.allSettled(steps.map((step) => walker.take(step)));
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

test(
  'every account adds up after steps that run at the same time',
  async () => {
    let carriedOut = 0;
    for (let walked = 0; walked < 2; walked += 1) {
      const steps = fc.sample(accountStep, { numRuns: STEPS_AT_ONCE, seed: SEED + walked });
      const walker = await AccountWalker.begin();
      for (let n = 0; n < steps.length; n += MEETING) {
        const some = steps.slice(n, n + MEETING);
        carriedOut += await takeAtOnce(walker, some);
        await expectSound(walker).catch((error: unknown) => {
          throw new Error(`PROPERTY_SEED=${SEED}, after ${JSON.stringify(some)}`, { cause: error });
        });
      }
    }
    expect(carriedOut).toBeGreaterThan(STEPS_AT_ONCE);
  },
  LIMIT_MS,
);
