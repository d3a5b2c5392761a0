/** The SQL functions that decide who is notified and what each person sees, called as the runtime role. */
import '../../models/wireAreas.js';
import { sequelize } from '../../models/database/connection.js';
import { rows } from '../../models/database/rows.js';
import { inTenant } from '../../models/database/tenancy.js';
import { REMITTANCE_STATE } from '../../models/finances/remittances/remittance.js';
import { factsSql, recipientsSql } from '../../models/notifications/statements.js';
import { allTypes, typeNamed } from '../../models/notifications/types.js';
import { audiences } from '../../models/organizations/audiences.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aMember, anInvoice, aPlaceholder, aWorld, type World } from '../support/world.js';
import { aProcessor, aRemittance } from '../models/finances/ledger.support.js';

let world: World;
let other: World;

beforeEach(async () => {
  [world, other] = [await aWorld(), await aWorld()];
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const inWorld = <Row>(sql: string, values: unknown[], organizationId = world.organizationId) =>
  inTenant(organizationId, () => rows<Row>(sql, values));

interface Facts {
  amount?: { text: string } | null;
  office_of: string | null;
}

/** What a person may see of a subject; null: nothing. */
async function factsFor(userId: string, type: string, subjectId: string): Promise<Facts | null> {
  const [row] = await inWorld<{ facts: Facts | null }>(
    `SELECT ${factsSql(typeNamed(type))} AS facts
       FROM (SELECT $1::uuid AS organization_id, $2::uuid AS subject_id, $3::uuid AS recipient_id) n`,
    [world.organizationId, subjectId, userId],
  );
  return row?.facts ?? null;
}

async function recipientsOf(type: string, subjectId: string, organizationId = world.organizationId): Promise<string[]> {
  const found = await inWorld<{ user_id: string }>(
    `SELECT who.user_id FROM (SELECT $1::uuid AS organization_id, $2::uuid AS subject_id) s
      CROSS JOIN LATERAL ${recipientsSql(typeNamed(type).recipients as string)} who ORDER BY who.user_id`,
    [world.organizationId, subjectId],
    organizationId,
  );
  return found.map(({ user_id }) => user_id);
}

const invoiceOfChapter = () => anInvoice(world, { chapterId: world.chapterId, membershipId: null, cents: 5_000 });
const invoiceOfMember = () =>
  anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, cents: 5_000 });
/** A remittance that this officer created and whose payment they requested. */
const remittanceBy = async (userId: string) =>
  aRemittance({ ...world, officer: { ...world.officer, userId } }, await aProcessor(world.organizationId), null);
const hideAmounts = () =>
  asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
const disable = (userId: string) => asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);

describe('who sees an invoice', () => {
  test('a member sees the amount of their own invoice, in their own right', async () => {
    await hideAmounts();
    const facts = await factsFor(world.member.userId, 'invoice_issued', await invoiceOfMember());
    expect(facts).toMatchObject({ amount: { text: ' 50.00 USD is due.' }, office_of: null });
  });

  test('an officer and an administrator see nothing of the invoice of a member', async () => {
    const invoice = await invoiceOfMember();
    expect(await factsFor(world.officer.userId, 'invoice_issued', invoice)).toBeNull();
    expect(await factsFor(world.admin.userId, 'invoice_issued', invoice)).toBeNull();
  });

  test('an officer sees the amount of an invoice of their chapter, through the office', async () => {
    const facts = await factsFor(world.officer.userId, 'invoice_issued', await invoiceOfChapter());
    expect(facts).toMatchObject({ amount: { text: ' 50.00 USD is due.' }, office_of: world.chapterId });
  });

  test('an officer of an organization that hides amounts sees the invoice of the chapter without its amount', async () => {
    await hideAmounts();
    const facts = await factsFor(world.officer.userId, 'invoice_issued', await invoiceOfChapter());
    expect(facts).toMatchObject({ amount: null, left: null, office_of: world.chapterId });
  });

  test('an administrator and an administrator of the region see amounts that are hidden from officers', async () => {
    await hideAmounts();
    const invoice = await invoiceOfChapter();
    for (const { userId } of [world.admin, world.regionalAdmin])
      expect(await factsFor(userId, 'invoice_issued', invoice)).toMatchObject({
        amount: { text: ' 50.00 USD is due.' },
        office_of: world.chapterId,
      });
  });

  test('an officer of another chapter, a member and a person of another organization see nothing of a chapter’s invoice', async () => {
    const invoice = await invoiceOfChapter();
    for (const { userId } of [world.otherOfficer, world.member, other.admin, other.officer])
      expect(await factsFor(userId, 'invoice_issued', invoice)).toBeNull();
  });

  test('an officer whose account is disabled or whose membership ended sees nothing', async () => {
    const invoice = await invoiceOfChapter();
    const [disabled, ended] = [
      await aMember(world.organizationId, world.chapterId, 'officer'),
      await aMember(world.organizationId, world.chapterId, 'officer'),
    ];
    await disable(disabled.userId);
    await asOwner(`UPDATE memberships SET role = 'member', status = 'inactive' WHERE id = $1`, [ended.membershipId]);
    for (const { userId } of [disabled, ended]) expect(await factsFor(userId, 'invoice_issued', invoice)).toBeNull();
  });

  test('a type that its function of facts does not know has no facts', async () => {
    const sql = 'SELECT facts FROM app.invoice_facts($1, $2, $3, $4)';
    const values = [world.organizationId, await invoiceOfMember(), world.member.userId];
    expect(await inWorld(sql, [...values, 'invoice_issued'])).toHaveLength(1);
    expect(await inWorld(sql, [...values, 'invoice_unknown'])).toEqual([]);
  });
});

describe('who is told', () => {
  test('a member who pays is told, even before they accepted', async () => {
    const invited = await aPlaceholder(world.organizationId);
    const [membership] = await asOwner<{ id: string }>(
      `INSERT INTO memberships (organization_id, user_id, chapter_id, role, status)
       VALUES ($1, $2, $3, 'member', 'undergrad') RETURNING id`,
      [world.organizationId, invited, world.chapterId],
    );
    const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: membership?.id ?? '' });
    expect(await recipientsOf('invoice_issued', invoice)).toEqual([invited]);
  });

  test('of a chapter’s invoice its treasurer is told, else its president, else an administrator', async () => {
    const invoice = await invoiceOfChapter();
    const president = await aMember(world.organizationId, world.chapterId, 'president');
    expect(await recipientsOf('invoice_issued', invoice)).toEqual([world.officer.userId]);
    await disable(world.officer.userId);
    expect(await recipientsOf('invoice_issued', invoice)).toEqual([president.userId]);
    await disable(president.userId);
    expect(await recipientsOf('invoice_issued', invoice)).toEqual([world.admin.userId]);
  });

  test('the officer who created a remittance is told of it, and the chapter’s payer after the office ended', async () => {
    const treasurer = await aMember(world.organizationId, world.chapterId, 'officer');
    const { remittanceId } = await remittanceBy(treasurer.userId);
    expect(await recipientsOf('remittance_failed', remittanceId)).toEqual([treasurer.userId]);
    await asOwner(`UPDATE memberships SET role = 'member' WHERE id = $1`, [treasurer.membershipId]);
    expect(await recipientsOf('remittance_failed', remittanceId)).toEqual([world.officer.userId]);
  });

  test('the chapter’s officers may resolve a remittance; where it has none, the administrators', async () => {
    const { remittanceId } = await remittanceBy(world.officer.userId);
    expect(await recipientsOf('remittance_flagged', remittanceId)).toEqual([world.officer.userId]);
    await disable(world.officer.userId);
    expect(await recipientsOf('remittance_flagged', remittanceId)).toEqual([world.admin.userId]);
  });

  test('administrators are told of unmatched payments, without those whose accounts are disabled', async () => {
    const [second] = await asOwner<{ user_id: string }>(
      `INSERT INTO organization_admins (organization_id, user_id, title) VALUES ($1, $2, 'Director') RETURNING user_id`,
      [world.organizationId, world.otherOfficer.userId],
    );
    const both = [world.admin.userId, second?.user_id ?? ''].toSorted();
    const [capture] = await asOwner<{ id: string }>(
      `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, disposition)
       VALUES ($1, $2, 'pi_unmatched', 1000, 'flagged') RETURNING id`,
      [world.organizationId, await aProcessor(world.organizationId)],
    );
    expect(await recipientsOf('payment_unmatched', capture?.id ?? '')).toEqual(both);
    await disable(world.otherOfficer.userId);
    expect(await recipientsOf('payment_unmatched', capture?.id ?? '')).toEqual([world.admin.userId]);
  });

  test('a tenant finds no recipients of another tenant’s invoice', async () => {
    const invoice = await invoiceOfMember();
    expect(await recipientsOf('invoice_issued', invoice)).toEqual([world.member.userId]);
    expect(await recipientsOf('invoice_issued', invoice, other.organizationId)).toEqual([]);
  });
});

describe('the status of a remittance', () => {
  const statusOf = async (remittanceId: string) => {
    const [row] = await inWorld<{ status: string }>(
      `SELECT state.status FROM chapter_remittances r CROSS JOIN LATERAL ${REMITTANCE_STATE} WHERE r.id = $1`,
      [remittanceId],
    );
    return row?.status;
  };
  const set = (columns: string, remittanceId: string) =>
    asOwner(`UPDATE chapter_remittances SET ${columns} WHERE id = $1`, [remittanceId]);

  test('a flag is in force until it is resolved, and again when it is raised later', async () => {
    const { remittanceId, attemptId } = await remittanceBy(world.officer.userId);
    expect(await statusOf(remittanceId)).toBe('processing');
    await asOwner(`UPDATE payment_attempts SET status = 'failed', finished_at = now() WHERE id = $1`, [attemptId]);
    expect(await statusOf(remittanceId)).toBe('draft');
    const flag = `processor_payment_id = 'pi_1', reconciliation_flagged_at = clock_timestamp(), reconciliation_amount_cents = 1,
      reconciliation_reason = 'second_capture'`;
    await set(flag, remittanceId);
    expect(await statusOf(remittanceId)).toBe('needs_reconciliation');
    await set(`settled_at = now(), resolved_at = clock_timestamp(), reconciliation_note = 'Done'`, remittanceId);
    expect(await statusOf(remittanceId)).toBe('settled');
    await set(flag, remittanceId);
    expect(await statusOf(remittanceId)).toBe('needs_reconciliation');
  });

  test('the uncredited amount is null without a flagged charge', async () => {
    const { remittanceId } = await remittanceBy(world.officer.userId);
    const [row] = await inWorld('SELECT app.uncredited_of_remittance($1, $2) AS cents', [
      world.organizationId,
      remittanceId,
    ]);
    expect(row).toEqual({ cents: null });
  });
});

test('the default reminder days are those of the column', async () => {
  await asOwner('DELETE FROM org_dues_settings WHERE organization_id = $1', [world.organizationId]);
  const days = 'SELECT app.reminder_days_before($1) AS days';
  const [withoutRow] = await inWorld(days, [world.organizationId]);
  await asOwner('INSERT INTO org_dues_settings (organization_id) VALUES ($1)', [world.organizationId]);
  expect(await inWorld(days, [world.organizationId])).toEqual([withoutRow]);
});

/** Signatures of the functions that notification types and audiences name. */
const SIGNATURES = new Map<string, string>([
  ...allTypes().map(({ facts, factsOfCause }): [string, string] => [
    facts,
    `uuid, uuid, uuid, text${factsOfCause ? ', text' : ''}`,
  ]),
  ...allTypes().flatMap(({ recipients }): [string, string][] =>
    recipients === null ? [] : [[recipients, recipients === 'active_admins' ? 'uuid' : 'uuid, uuid']],
  ),
  ...Object.values(audiences).map(({ people }): [string, string] => [people, 'uuid, uuid']),
]);

test('every function of facts or recipients sees what its caller sees, and changes nothing', async () => {
  const found = await asOwner<{
    name: string;
    signature: string;
    language: string;
    volatility: string;
    plain: boolean;
  }>(
    `SELECT p.proname AS name, oidvectortypes(p.proargtypes) AS signature, l.lanname AS language, p.provolatile AS volatility,
            NOT p.prosecdef AND NOT p.proisstrict AND p.proconfig IS NULL AS plain
       FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
      WHERE p.pronamespace = 'app'::regnamespace AND p.proname = ANY($1) ORDER BY p.proname`,
    [[...SIGNATURES.keys()]],
  );
  expect(found).toEqual(
    [...SIGNATURES]
      .toSorted(([one], [another]) => (one < another ? -1 : 1))
      .map(([name, signature]) => ({ name, signature, language: 'sql', volatility: 's', plain: true })),
  );
});

test('Postgres inlines every function of facts and recipients', async () => {
  const called: string[] = [];
  for (const type of allTypes())
    for (const sql of [
      factsSql(type),
      type.recipients && `(SELECT who.user_id FROM ${recipientsSql(type.recipients)} who LIMIT 1)`,
    ]) {
      if (!sql) continue;
      const plan = await inWorld<Record<string, string>>(
        `EXPLAIN (VERBOSE) SELECT ${sql} FROM (SELECT organization_id, id AS subject_id, user_id AS recipient_id, '' AS cause FROM memberships OFFSET 0) n
          CROSS JOIN LATERAL (SELECT n.organization_id, n.subject_id) s`,
        [],
      );
      const lines = plan.map((line) => line['QUERY PLAN'] ?? '').filter((line) => /Function Scan on app\./.test(line));
      called.push(...lines.map((line) => `${type.name}: ${line.trim()}`));
    }
  expect(called).toEqual([]);
});
