/** The grants of the runtime role on facts of money, column by column: read from Postgres's catalog, and tried. */
import pg from 'pg';
import { sequelize } from '../../models/database/connection.js';
import { sqlStateOf } from '../../models/database/constraints.js';
import { rows } from '../../models/database/rows.js';
import { inTenant } from '../../models/database/tenancy.js';
import { databaseUrl, FACTS, type Facts } from '../support/environment/facts.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aProcessor } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const INSUFFICIENT_PRIVILEGE = '42501';
const RESTRICT_VIOLATION = '23001';

/** The columns that may change, and no others: the transitions of each are tried below. */
const CHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  audit_log: [],
  platform_audit_log: [],
  invoice_line_items: [],
  chapter_account_credits: [],
  dues_run_items: [],
  payment_records: ['amount_cents', 'failure_code', 'paid_at', 'refund_failed_cents', 'refunded_cents', 'status'],
  processor_captures: ['disposition', 'disputed_cents', 'refund_failed_cents', 'refunded_cents', 'refunds_read_at'],
  capture_resolutions: ['failure_code', 'finished_at', 'gateway_refund_id', 'status'],
  chapter_remittances: [
    'processor_payment_id',
    'reconciliation_amount_cents',
    'reconciliation_flagged_at',
    'reconciliation_note',
    'reconciliation_reason',
    'resolved_at',
    'resolved_by',
    'settled_at',
    'total_cents',
  ],
  chapter_remittance_allocations: ['payment_record_id', 'reserved_by_attempt_id'],
  payment_attempts: [
    'captured_cents',
    'charge_asked_at',
    'checkout_asked_at',
    'checkout_closed_at',
    'checkout_expires_at',
    'checkout_keys',
    'checkout_looked_at',
    'checkout_session_id',
    'checkout_url',
    'closing_reason',
    'closing_since',
    'failure_code',
    'failure_message',
    'finished_at',
    'intent_id',
    'status',
  ],
  chapter_invoices: ['overdue_at', 'payer_name', 'void_reason', 'voided_at'],
  invoice_discounts: ['void_reason', 'voided_at', 'voided_by'],
  refunds: ['failure_code', 'finished_at', 'gateway_refund_id', 'sent_at', 'status', 'waiver_id'],
  webhook_events: ['deliveries', 'outcome', 'processed_at'],
};
const TABLES = Object.keys(CHANGEABLE);

/** Rows of these tables may be deleted while they are no facts yet. */
const REMOVABLE = ['chapter_remittance_allocations'];

let world: World;
let ids: Record<string, string>;

beforeAll(async () => {
  world = await aWorld({ members: 1 });
  ids = await settledMoney();
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

/** Money of an organization in final states: paid, flagged, settled, voided. @returns one row of each table */
async function settledMoney(): Promise<Record<string, string>> {
  const { organizationId: org, chapterId, termId, member, officer } = world;
  const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(row);
    const [made] = await asOwner<{ id: string }>(
      `INSERT INTO ${table} (organization_id, ${names.join(', ')})
       VALUES ($1, ${names.map((_, n) => `$${n + 2}`).join(', ')}) RETURNING id`,
      [org, ...Object.values(row)],
    );
    return (made as { id: string }).id;
  };
  const made: Record<string, string> = {};
  const now = new Date();
  const processor_id = await aProcessor(world);
  const invoice_id = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 1_000 });
  const amount = { amount_cents: 1_000 };
  const remittance_id = await insert('chapter_remittances', {
    chapter_id: chapterId,
    created_by: officer.userId,
    total_cents: 1_000,
    processor_payment_id: 'pi_1',
    settled_at: now,
    reconciliation_flagged_at: now,
    reconciliation_amount_cents: 1_000,
    reconciliation_reason: 'allocation_stale',
    resolved_at: now,
    resolved_by: officer.userId,
  });
  made['chapter_remittances'] = remittance_id;
  made['processor_captures'] = await insert('processor_captures', {
    processor_id,
    intent_id: 'pi_1',
    remittance_id,
    ...amount,
    refunded_cents: 100,
    refunds_read_at: now,
    disposition: 'resolved',
  });
  made['capture_resolutions'] = await insert('capture_resolutions', {
    capture_id: made['processor_captures'],
    resolution: 'refund',
    ...amount,
    status: 'done',
    note: 'Test',
    requested_by: officer.userId,
    finished_at: now,
  });
  const payment_record_id = await insert('payment_records', {
    invoice_id,
    processor_id,
    processor_payment_id: `${remittance_id}:${invoice_id}`,
    intent_id: 'pi_1',
    remittance_id,
    ...amount,
    refunded_cents: 100,
    status: 'succeeded',
    paid_at: now,
  });
  made['payment_records'] = payment_record_id;
  made['refunds'] = await insert('refunds', {
    invoice_id,
    payment_record_id,
    capture_id: made['processor_captures'],
    amount_cents: 100,
    status: 'succeeded',
    reason: 'Test',
    gateway_refund_id: 're_1',
    requested_by: officer.userId,
    sent_at: now,
    finished_at: now,
  });
  made['chapter_remittance_allocations'] = await insert('chapter_remittance_allocations', {
    remittance_id,
    chapter_id: chapterId,
    invoice_id,
    ...amount,
    payment_record_id,
  });
  made['payment_attempts'] = await insert('payment_attempts', {
    remittance_id,
    processor_id,
    ...amount,
    currency: 'usd',
    status: 'succeeded',
    intent_id: 'pi_1',
    captured_cents: 1_000,
    finished_at: now,
  });
  const voided = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 500 });
  made['invoice_discounts'] = await insert('invoice_discounts', {
    invoice_id: voided,
    amount_cents: 100,
    reason: 'Test',
    voided_at: now,
    voided_by: officer.userId,
    void_reason: 'Test',
  });
  await asOwner(
    `UPDATE chapter_invoices SET overdue_at = now(), voided_at = now(), void_reason = 'Test' WHERE id = $1`,
    [voided],
  );
  made['chapter_invoices'] = voided;
  const [line] = await asOwner<{ id: string }>('SELECT id FROM invoice_line_items WHERE invoice_id = $1', [voided]);
  made['invoice_line_items'] = line?.id ?? '';
  made['chapter_account_credits'] = await insert('chapter_account_credits', {
    chapter_id: chapterId,
    payer_type: 'member',
    membership_id: member.membershipId,
    kind: 'issued',
    ...amount,
    reason: 'Test',
  });
  const dues_run_id = await insert('dues_runs', { term_id: termId, due_date: '2030-01-01', preview_hash: 'x' });
  const planned = { dues_run_id, chapter_id: chapterId, status: 'undergrad', quantity: 1, ...amount };
  made['dues_run_items'] = await insert('dues_run_items', planned);
  made['audit_log'] = await insert('audit_log', { action: 'test.written', subject_type: 'test' });
  made['platform_audit_log'] = await insert('platform_audit_log', { action: 'test.written', subject_type: 'test' });
  made['webhook_events'] = await insert('webhook_events', {
    processor_id,
    event_id: 'evt_1',
    type: 'charge.refunded',
    payload: '{}',
    outcome: 'applied',
    processed_at: now,
  });
  return made;
}

class Undone extends Error {}

/** The SQLSTATE with which the runtime role fails; undefined when it succeeds. Every change is rolled back. */
async function attempted(sql: string, values: unknown[] = []): Promise<string | undefined> {
  try {
    await inTenant(world.organizationId, async () => {
      await rows(sql, values);
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) return sqlStateOf(error);
  }
  return undefined;
}

const columnsOf = (table: string) =>
  asOwner<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );

test.each(TABLES)('%s: the runtime role can change the listed columns, and no others', async (table) => {
  const open: string[] = [];
  for (const { name } of await columnsOf(table)) {
    const code = await attempted(`UPDATE ${table} SET ${name} = ${name} WHERE id = $1`, [ids[table]]);
    if (code !== INSUFFICIENT_PRIVILEGE) open.push(name);
  }
  expect(open.sort()).toEqual(CHANGEABLE[table]);
});

test.each(TABLES)('%s: the runtime role cannot delete a fact', async (table) => {
  const code = await attempted(`DELETE FROM ${table} WHERE id = $1`, [ids[table]]);
  expect(code).toBe(REMOVABLE.includes(table) ? RESTRICT_VIOLATION : INSUFFICIENT_PRIVILEGE);
});

/** Each changeable column of a row in a final state, and values that it must not take any more. */
const UNDOING: readonly [table: string, change: string][] = [
  ['payment_records', 'amount_cents = amount_cents + 1'],
  ['payment_records', 'amount_cents = amount_cents - 1'],
  ['payment_records', "paid_at = paid_at - interval '1 day'"],
  ['payment_records', "failure_code = 'declined'"],
  ['payment_records', 'refunded_cents = refunded_cents - 1'],
  ['payment_records', 'refund_failed_cents = refund_failed_cents - 1'],
  ['payment_records', 'refund_failed_cents = 50, refunded_cents = refunded_cents - 51'],
  ['payment_records', "status = 'failed', paid_at = NULL"],
  ['processor_captures', "disposition = 'flagged'"],
  ['processor_captures', "disposition = 'recorded'"],
  ['processor_captures', 'refunded_cents = 0'],
  ['processor_captures', 'refund_failed_cents = refund_failed_cents - 1'],
  ['processor_captures', 'refunds_read_at = NULL'],
  ['chapter_remittances', 'settled_at = NULL'],
  ['chapter_remittances', "settled_at = settled_at - interval '1 day'"],
  ['chapter_remittances', "processor_payment_id = 'pi_2'"],
  ['chapter_remittances', 'total_cents = total_cents + 1'],
  [
    'chapter_remittances',
    'reconciliation_flagged_at = NULL, reconciliation_amount_cents = NULL, reconciliation_reason = NULL, resolved_at = NULL',
  ],
  ['chapter_remittances', "reconciliation_flagged_at = reconciliation_flagged_at - interval '1 day'"],
  ['chapter_remittances', 'resolved_at = NULL'],
  ['chapter_remittance_allocations', 'payment_record_id = NULL'],
  ['payment_attempts', "status = 'failed'"],
  ['payment_attempts', "status = 'pending', finished_at = NULL"],
  ['payment_attempts', "intent_id = 'pi_2'"],
  ['payment_attempts', 'captured_cents = 1'],
  ['chapter_invoices', 'voided_at = NULL'],
  ['chapter_invoices', "void_reason = 'Another'"],
  ['chapter_invoices', 'overdue_at = NULL'],
  ['invoice_discounts', 'voided_at = NULL'],
  ['refunds', "status = 'processing', finished_at = NULL"],
  ['refunds', "gateway_refund_id = 're_2'"],
  ['refunds', 'sent_at = NULL'],
  ['capture_resolutions', "status = 'pending', finished_at = NULL"],
  ['capture_resolutions', "gateway_refund_id = 're_2'"],
  ['capture_resolutions', "status = 'failed', failure_code = 'refund_failed'"],
  ['webhook_events', 'outcome = NULL, processed_at = NULL'],
  ['webhook_events', 'deliveries = 0'],
];

test.each(UNDOING)('%s: a fact in a final state cannot be changed: %s', async (table, change) => {
  expect(await attempted(`UPDATE ${table} SET ${change} WHERE id = $1`, [ids[table]])).toBe(RESTRICT_VIOLATION);
});

test("a member of the runtime role, like a pooler's role, has the same limits", async () => {
  const facts = JSON.parse(process.env[FACTS] as string) as Facts;
  const database = new URL(process.env['DATABASE_URL'] as string).pathname.slice(1);
  const urlOf = (name: string, password: string) => databaseUrl(facts.postgresPort, { name, password }, database);
  const [superuser, name] = [new pg.Client(urlOf('postgres', facts.superuserPassword)), `member_${database}`];
  await superuser.connect();
  await superuser.query(`CREATE ROLE ${name} LOGIN PASSWORD 'member'; GRANT membership_runtime TO ${name}`);
  const member = new pg.Client(urlOf(name, 'member'));
  await member.connect();
  try {
    await member.query(`SELECT set_config('app.organization_id', $1, false)`, [world.organizationId]);
    for (const [table, change] of UNDOING) {
      const undone = member.query(`UPDATE ${table} SET ${change} WHERE id = $1`, [ids[table]]);
      expect([table, change, await undone.catch(sqlStateOf)]).toEqual([table, change, RESTRICT_VIOLATION]);
    }
  } finally {
    await member.end();
    await superuser.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
    await superuser.end();
  }
});

test('an invoice is inserted without amounts, and the status of a void one follows from its amounts', async () => {
  const columns = 'organization_id, chapter_id, payer_type, description, issue_date, due_date';
  const values = `'${world.organizationId}', '${world.chapterId}', 'chapter', 'Test', now(), now()`;
  expect(await attempted(`INSERT INTO chapter_invoices (${columns}) VALUES (${values})`)).toBeUndefined();
  for (const derived of ['balance_due_cents', 'total_cents', 'paid_cents', 'credit_cents', 'discount_cents'])
    expect(await attempted(`INSERT INTO chapter_invoices (${columns}, ${derived}) VALUES (${values}, 1)`)).toBe(
      INSUFFICIENT_PRIVILEGE,
    );
  expect(
    await asOwner('SELECT status, balance_due_cents::int AS due FROM chapter_invoices WHERE id = $1', [
      ids['chapter_invoices'],
    ]),
  ).toEqual([{ status: 'void', due: 0 }]);
});

test('an allocation that has not been credited can be deleted', async () => {
  const { chapterId, member, organizationId } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 500 });
  const [share] = await asOwner<{ id: string }>(
    `INSERT INTO chapter_remittance_allocations (organization_id, remittance_id, chapter_id, invoice_id, amount_cents)
     VALUES ($1, $2, $3, $4, 500) RETURNING id`,
    [organizationId, ids['chapter_remittances'], chapterId, invoice],
  );
  expect(await attempted('DELETE FROM chapter_remittance_allocations WHERE id = $1', [share?.id])).toBeUndefined();
});
