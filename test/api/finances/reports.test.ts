/** The dues report: who reads it, its groups and sums, and its table. */
import { randomUUID } from 'node:crypto';
import { DUES_REPORT_GROUPS, DUES_SUMS } from '../../../models/finances/reports/duesReport.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';

const stage = apiWorld();
const { world } = stage;
const path = (query = '', id = world.organizationId) => `/api/organizations/${id}/reports/dues/?${query}`;

type Figures = Record<'invoices' | (typeof DUES_SUMS)[number], number>;
interface Report {
  groups: (Figures & { group: string | null; name: string | null })[];
  total: Figures;
}
const SUMMED = ['invoices', ...DUES_SUMS] as const;
const figuresOf = (row: Figures): Figures =>
  Object.fromEntries(SUMMED.map((name) => [name, row[name]])) as unknown as Figures;

const INVOICES = 240;

/** Invoices of half a year, of every payer, status and combination of money; every tenth is void. */
beforeAll(async () => {
  const { organizationId, chapterId, otherChapterId, termId, memberships } = world;
  await asOwner(`UPDATE chapters SET name = '=1+1' WHERE id = $1`, [chapterId]);
  await asOwner(
    `INSERT INTO chapter_invoices (organization_id, chapter_id, term_id, payer_type, membership_id, description, issue_date, due_date)
     SELECT $1, CASE WHEN n % 3 = 0 THEN $3::uuid ELSE $2 END, CASE WHEN n % 4 > 0 THEN $4::uuid END,
            CASE WHEN n % 3 = 1 THEN 'member' ELSE 'chapter' END, CASE WHEN n % 3 = 1 THEN $5::uuid END, 'Dues ' || n,
            date '2026-01-01' + n * 7 % 180, CASE WHEN n % 2 = 0 THEN date '2099-01-01' ELSE date '2026-08-01' END
       FROM generate_series(1, $6::int) n`,
    [organizationId, chapterId, otherChapterId, termId, memberships[0], INVOICES],
  );
  await asOwner(
    `INSERT INTO invoice_line_items (organization_id, invoice_id, description, unit_amount_cents, amount_cents)
     SELECT organization_id, id, 'Dues', cents, cents FROM chapter_invoices
      CROSS JOIN LATERAL (SELECT 1000 + hashtext(description)::bigint & 65535 AS cents) c WHERE organization_id = $1`,
    [organizationId],
  );
  const numbered = `(SELECT i.*, substring(description from '\\d+')::int AS n FROM chapter_invoices i WHERE organization_id = $1) i`;
  await asOwner(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason)
     SELECT organization_id, id, 1 + n, 'Early' FROM ${numbered} WHERE n % 5 = 0`,
    [organizationId],
  );
  await asOwner(
    `INSERT INTO payment_records (organization_id, invoice_id, processor_payment_id, amount_cents, status, paid_at)
     SELECT organization_id, id, 'ch_' || id, CASE WHEN n % 2 = 0 THEN total_cents - discount_cents ELSE total_cents / 3 END, 'succeeded', now() FROM ${numbered} WHERE n % 7 < 3`,
    [organizationId],
  );
  await asOwner(
    `UPDATE chapter_invoices i SET status = CASE WHEN n % 10 = 9 THEN 'void' ELSE 'overdue' END,
            overdue_at = now(), voided_at = CASE WHEN n % 10 = 9 THEN now() END, void_reason = CASE WHEN n % 10 = 9 THEN 'Test' END
       FROM ${numbered.replace(/ i$/, ' v')} WHERE i.id = v.id AND v.status = 'open' AND (n % 10 = 9 OR n % 4 = 1)`,
    [organizationId],
  );
  // An overpaid invoice, and one that the credit from it pays in part.
  const [overpaid, credited] = await asOwner<{ id: string; balance_due_cents: string }>(
    `SELECT id, balance_due_cents FROM chapter_invoices WHERE organization_id = $1 AND membership_id IS NOT NULL AND status = 'open'
      ORDER BY balance_due_cents DESC LIMIT 2`,
    [organizationId],
  );
  const payment = { method: 'cash', reference: 'Receipt 1', received_on: '2026-02-01', idempotency_key: randomUUID() };
  const amount_cents = Number(overpaid?.balance_due_cents) + 5_000;
  expect((await stage.admin.post(`/api/invoices/${overpaid?.id}/payments/`, { ...payment, amount_cents })).status).toBe(
    201,
  );
  const credit = { kind: 'credit', amount_cents: 3_000, reason: 'Overpaid' };
  expect((await stage.admin.post(`/api/invoices/${credited?.id}/adjust/`, credit)).status).toBeLessThan(300);
}, 30_000);

/** The figures from lines, discounts and payments, one invoice after the other, without the report's statement. */
async function expected(where: string, values: unknown[]): Promise<Map<string, Figures>> {
  const invoices = await asOwner<Record<string, string | null>>(
    `SELECT i.chapter_id AS chapter, i.term_id AS term, left(i.issue_date::text, 7) AS month, i.status, i.credit_cents, i.overpaid_cents,
            (SELECT sum(l.amount_cents) FROM invoice_line_items l WHERE l.invoice_id = i.id) AS total_cents,
            coalesce((SELECT sum(d.amount_cents) FROM invoice_discounts d WHERE d.invoice_id = i.id), 0) AS discount_cents,
            coalesce((SELECT sum(p.amount_cents) FROM payment_records p WHERE p.invoice_id = i.id), 0) AS paid_cents, i.balance_due_cents
       FROM chapter_invoices i WHERE i.organization_id = $1 AND i.voided_at IS NULL ${where}`,
    [world.organizationId, ...values],
  );
  const sums = new Map<string, Figures>();
  for (const invoice of invoices)
    for (const group of ['total', ...DUES_REPORT_GROUPS]) {
      const key = group === 'total' ? group : `${group} ${invoice[group]}`;
      const sum = sums.get(key) ?? figuresOf(Object.fromEntries(SUMMED.map((name) => [name, 0])) as unknown as Figures);
      sum.invoices += 1;
      for (const name of DUES_SUMS) sum[name] += Number(invoice[name]);
      sums.set(key, sum);
    }
  return sums;
}

test('in any time span, by any group and payer, the groups are those of the invoices and add up to the total', async () => {
  const spans = [
    ['2026-01-01', '2026-06-30'],
    ['2026-02-10', '2026-03-17'],
    ['2026-05-05', '2026-05-05'],
    ['2020-01-01', '2020-12-31'],
  ] as const;
  for (const [from, to] of spans)
    for (const payer of [undefined, 'chapter', 'member'] as const) {
      const sums = await expected(
        'AND i.issue_date >= $2 AND i.issue_date <= $3 AND i.payer_type = coalesce($4, i.payer_type)',
        [from, to, payer ?? null],
      );
      for (const group of DUES_REPORT_GROUPS) {
        const query = `from=${from}&to=${to}&group_by=${group}${payer ? `&payer_type=${payer}` : ''}`;
        const { groups, total } = (await stage.admin.get(path(query))).body as Report;
        const named = new Map(groups.map((row) => [`${group} ${row.group}`, figuresOf(row)]));
        expect(named).toEqual(new Map([...sums].filter(([key]) => key.startsWith(`${group} `))));
        for (const name of SUMMED)
          expect([name, groups.reduce((sum, row) => sum + row[name], 0)]).toEqual([name, total[name]]);
        if (groups.length > 0) expect(figuresOf(total)).toEqual(sums.get('total'));
      }
    }
  const all = (await stage.admin.get(path('from=2026-01-01&to=2026-06-30&group_by=status'))).body as Report;
  expect(all.groups.map(({ group }) => group)).toEqual(['open', 'overdue', 'paid', 'partially_paid']);
  for (const name of DUES_SUMS) expect([name, all.total[name] > 0]).toEqual([name, true]);
});

test('regional admins read the sums of their chapters, and others none', async () => {
  const span = 'from=2026-01-01&to=2026-06-30';
  const own = (await stage.as(world.regionalAdmin).get(path(span))).body as Report;
  expect(own.groups.map(({ group }) => group)).toEqual([world.chapterId]);
  const all = (await stage.admin.get(path(span))).body as Report;
  expect(all.groups).toHaveLength(2);
  expect(own.total).toEqual(figuresOf(all.groups.find(({ group }) => group === world.chapterId) as Figures));
  for (const person of [world.officer, world.member]) expect((await stage.as(person).get(path(span))).status).toBe(403);
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path(span, id)));
  expect((await stage.as(stage.other.admin).get(path(span, stage.other.organizationId))).body.total.invoices).toBe(0);
});

test('the table has the same rows, and no cell is a formula', async () => {
  const span = 'from=2026-01-01&to=2026-06-30';
  const { groups } = (await stage.admin.get(path(span))).body as Report;
  const { headers, body } = await stage.admin.get(path(`${span}&format=csv`));
  expect(headers.get('content-disposition')).toBe('attachment; filename="dues-2026-01-01-2026-06-30.csv"');
  const [titles, ...lines] = (body as string).trim().split('\r\n');
  expect(titles).toBe(`group,name,${SUMMED.join(',')}`);
  expect(lines).toEqual(
    groups.map(({ group, name, ...row }) =>
      [group, name?.replace(/^=/, "'="), ...SUMMED.map((sum) => row[sum])].join(','),
    ),
  );
});

test('bad input is refused by name, and the report takes the same statements for any number of rows', async () => {
  for (const [field, query] of [
    ['from', 'from=2026-02-01&to=2026-01-31'],
    ['from', 'from=2026-02-30'],
    ['to', 'to=x'],
    ['group_by', 'group_by=region'],
    ['payer_type', 'payer_type=x'],
    ['format', 'format=xlsx'],
  ] as const) {
    const { status, body } = await stage.admin.get(path(query));
    expect([query, status, Object.keys(body.errors)]).toEqual([query, 400, [field]]);
  }
  const measure = (query: string) => countStatements(() => stage.admin.get(path(query)));
  expect([await measure('from=2020-01-01&to=2020-01-02'), await measure('from=2026-01-01&to=2026-06-30')]).toEqual([
    4, 4,
  ]);
});

test("a report ends by default on the organization's own date", async () => {
  // At any hour, one of these dates is not that of UTC.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await asOwner('UPDATE organizations SET timezone = $2 WHERE id = $1', [world.organizationId, timeZone]);
    const to = new Intl.DateTimeFormat('sv', { timeZone }).format();
    for (const report of ['dues', 'members'])
      expect((await stage.admin.get(path().replace('dues', report))).body).toMatchObject({ to });
  }
});
