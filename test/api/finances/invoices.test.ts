import { asOwner } from '../../support/owner.js';
import { paidByHand } from '../../support/payments.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const all = (query = '') => `/api/organizations/${stage.world.organizationId}/invoices/${query}`;
const ofChapter = (query = '', chapter = stage.world.chapterId) => `/api/chapters/${chapter}/invoices/${query}`;
const one = (id: string) => `/api/invoices/${id}/`;

const own = (cents = 5_000, dueIn = 14) =>
  anInvoice(stage.world, {
    chapterId: stage.world.chapterId,
    membershipId: stage.world.member.membershipId,
    cents,
    dueIn,
  });
const chapters = (cents = 70_000) =>
  anInvoice(stage.world, { chapterId: stage.world.chapterId, membershipId: null, cents });
const pay = (invoiceId: string, amountCents: number) => paidByHand(stage.world.organizationId, invoiceId, amountCents);
const discount = (invoiceId: string, cents: number) =>
  asOwner(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, category, reason) VALUES ($1, $2, $3, 'hardship', 'Lost a job')`,
    [stage.world.organizationId, invoiceId, cents],
  );
const hideAmounts = (hidden: boolean) =>
  asOwner('UPDATE org_dues_settings SET officers_see_amounts = $2 WHERE organization_id = $1', [
    stage.world.organizationId,
    !hidden,
  ]);

afterEach(() => hideAmounts(false));

test('invoices need a signed-in person', async () => {
  const id = await own();
  for (const path of [all(), ofChapter(), one(id)]) expect(await stage.nobody.get(path)).toMatchObject({ status: 401 });
  expect(await stage.nobody.post(`${one(id)}void/`, { reason: 'x' })).toMatchObject({ status: 401 });
});

test('organization admins list all invoices, and officers and regional admins those of their chapter', async () => {
  expect(await stage.officer.get(all())).toMatchObject({ status: 403 });
  expect(await stage.member.get(ofChapter())).toMatchObject({ status: 403 });
  expect(await stage.as(stage.world.otherOfficer).get(ofChapter())).toMatchObject({ status: 403 });
  expect(await stage.as(stage.world.regionalAdmin).get(ofChapter('', stage.world.otherChapterId))).toMatchObject({
    status: 403,
  });
  for (const person of [stage.world.officer, stage.world.regionalAdmin, stage.world.admin]) {
    expect(await stage.as(person).get(ofChapter())).toMatchObject({ status: 200 });
  }
});

test("another organization's invoices and chapters are not found", async () => {
  const { other } = stage;
  const foreign = await anInvoice(other, { chapterId: other.chapterId, membershipId: other.member.membershipId });
  await expectNowhere(other.organizationId, (id) => stage.admin.get(`/api/organizations/${id}/invoices/`));
  await expectNowhere(other.chapterId, (id) => stage.admin.get(ofChapter('', id)));
  await expectNowhere(other.chapterId, (id) => stage.officer.get(ofChapter('', id)));
  await expectNowhere(foreign, (id) => stage.admin.get(one(id)));
  await expectNowhere(foreign, (id) => stage.admin.post(`${one(id)}void/`, { reason: 'x' }));
  expect((await stage.admin.get(all(`?chapter=${other.chapterId}`))).body).toMatchObject({ count: 0 });
});

test("a chapter's list has the chapter's own invoices, or its members' when the filter asks for them", async () => {
  const [mine, members] = [await chapters(), await own()];
  const ids = async (query = '') =>
    (await stage.officer.get(ofChapter(`?page_size=100${query}`))).body.results.map(({ id }: { id: string }) => id);
  expect(await ids()).toContain(mine);
  expect(await ids()).not.toContain(members);
  expect(await ids('&payer_type=member')).toContain(members);
  expect(await ids('&payer_type=member')).not.toContain(mine);
});

test('filters narrow the list, and a search finds the payer by name', async () => {
  const { membershipId } = await aMember(stage.world.organizationId, stage.world.otherChapterId);
  await asOwner(
    `UPDATE users SET first_name = 'Zoë', last_name = '100%_Sure' WHERE id = (SELECT user_id FROM memberships WHERE id = $1)`,
    [membershipId],
  );
  const id = await anInvoice(stage.world, {
    chapterId: stage.world.otherChapterId,
    membershipId,
    cents: 4_200,
    dueIn: 200,
  });
  const found = async (query: string) => (await stage.admin.get(all(query))).body;
  expect(await found(`?membership=${membershipId}`)).toMatchObject({
    count: 1,
    results: [{ id, payer_name: 'Zoë 100%_Sure', total_cents: 4_200 }],
  });
  expect(await found(`?search=${encodeURIComponent('zoë 100%_s')}`)).toMatchObject({ count: 1 });
  expect(await found('?search=%25%25')).toMatchObject({ count: 0 });
  const due = (await asOwner('SELECT due_date FROM chapter_invoices WHERE id = $1', [id]))[0]?.['due_date'];
  expect(
    await found(
      `?chapter=${stage.world.otherChapterId}&due_after=2026-01-01&status=open&payer_type=member&term=${stage.world.termId}`,
    ),
  ).toMatchObject({ count: 1 });
  expect(await found(`?membership=${membershipId}&due_after=${due}`)).toMatchObject({ count: 0 });
  expect(await found(`?membership=${membershipId}&due_before=${due}`)).toMatchObject({ count: 0 });
  expect(await found(`?membership=${membershipId}&status=paid`)).toMatchObject({ count: 0 });
});

test.each([
  'due_date',
  '-due_date',
  'created_at',
  '-created_at',
  'balance_due_cents',
  '-balance_due_cents',
  'total_cents',
  '-total_cents',
])('the list can be ordered by %s, and its pages do not overlap', async (ordering) => {
  const ids: string[] = [];
  const { count } = (await stage.admin.get(all())).body;
  for (let page = 1; ids.length < count; page += 1) {
    const { body } = await stage.admin.get(all(`?ordering=${ordering}&page_size=2&page=${page}`));
    ids.push(...body.results.map(({ id }: { id: string }) => id));
  }
  expect(new Set(ids).size).toBe(count);
});

test.each([
  'ordering=payer',
  'status=late',
  'due_before=2026-02-30',
  'due_before=0000-01-01',
  'due_after=tomorrow',
  'page=0',
  'search=',
  'colour=red',
  'chapter=1',
])('?%s is refused at its field', async (query) => {
  const answer = await stage.admin.get(all(`?${query}`));
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: { [query.split('=')[0] as string]: [expect.any(String)] } },
  });
});

test('an invoice shows its lines, payments, discounts and credits', async () => {
  const id = await own(5_000);
  await discount(id, 1_000);
  await pay(id, 4_500);
  expect(await stage.admin.get(one(id))).toMatchObject({
    status: 200,
    body: {
      status: 'paid',
      total_cents: 5_000,
      discount_cents: 1_000,
      paid_cents: 4_500,
      overpaid_cents: 500,
      balance_due_cents: 0,
      lines: [{ quantity: 1, amount_cents: 5_000 }],
      payments: [{ status: 'succeeded', amount_cents: 4_500 }],
      discounts: [{ amount_cents: 1_000, category: 'hardship', reason: 'Lost a job' }],
      credits: [{ kind: 'issued', amount_cents: 500 }],
    },
  });
});

test('members read only their own invoices, and officers only those of their chapter', async () => {
  const [mine, theirs] = [await own(), await chapters()];
  expect(await stage.member.get(one(mine))).toMatchObject({ status: 200, body: { total_cents: 5_000 } });
  expect(await stage.member.get(one(theirs))).toMatchObject({ status: 404 });
  expect(await stage.officer.get(one(theirs))).toMatchObject({ status: 200 });
  expect(await stage.as(stage.world.otherOfficer).get(one(mine))).toMatchObject({ status: 404 });
});

test('officers do not see why a discount was granted', async () => {
  const id = await own();
  await discount(id, 1_000);
  const answer = await stage.officer.get(one(id));
  expect(answer.body.discounts).toEqual([
    expect.objectContaining({ amount_cents: 1_000, category: null, reason: null }),
  ]);
  expect(JSON.stringify(answer.body)).not.toMatch(/hardship|Lost a job/);
  expect((await stage.member.get(one(id))).body.discounts).toEqual([expect.objectContaining({ category: 'hardship' })]);
});

test('an officer does not see the reason of a discount on their own invoice', async () => {
  const { otherOfficer, otherChapterId: chapterId } = stage.world;
  const [membership] = await asOwner<{ id: string }>(
    'SELECT id FROM memberships WHERE user_id = $1 AND chapter_id = $2',
    [otherOfficer.userId, chapterId],
  );
  const id = await anInvoice(stage.world, { chapterId, membershipId: membership?.id ?? null });
  await discount(id, 100);
  expect((await stage.as(otherOfficer).get(one(id))).body).toMatchObject({
    discounts: [{ amount_cents: 100, category: null, reason: null }],
  });
  expect((await stage.admin.get(one(id))).body).toMatchObject({ discounts: [{ category: 'hardship' }] });
});

test('an invoice is past due by the date of its organization, in lists and in its details', async () => {
  const { chapterId, member, organizationId } = stage.world;
  const due = (days: number) => anInvoice(stage.world, { chapterId, membershipId: member.membershipId, dueIn: days });
  const [today, yesterday, paid] = [await due(0), await due(-1), await due(-1)];
  await pay(yesterday, 1);
  await pay(paid, 10_000);
  const shown = async (id: string) => {
    const lists = [all('?page_size=100'), ofChapter('?payer_type=member&page_size=100')];
    const found = await Promise.all(lists.map(async (path) => (await stage.admin.get(path)).body.results));
    found.push((await stage.member.get('/api/billing/me/invoices/?page_size=100')).body.results);
    const rows = found.map((list: { id: string; is_past_due: boolean }[]) => list.find((row) => row.id === id));
    rows.push((await stage.member.get(one(id))).body);
    return [...new Set(rows.map((row) => row?.is_past_due))];
  };
  expect(await shown(today)).toEqual([false]);
  expect(await shown(yesterday)).toEqual([true]);
  expect(await shown(paid)).toEqual([false]);
  // The date is the organization's: 14 hours ahead of UTC.
  await asOwner(`UPDATE organizations SET timezone = 'Etc/GMT-14' WHERE id = $1`, [organizationId]);
  const [ahead] = await asOwner<{ tomorrow: boolean }>(
    `SELECT (now() AT TIME ZONE 'Etc/GMT-14')::date > (now() AT TIME ZONE 'UTC')::date AS tomorrow`,
  );
  expect(await shown(today)).toEqual([ahead?.tomorrow]);
  await asOwner(`UPDATE organizations SET timezone = 'Nowhere/None' WHERE id = $1`, [organizationId]);
  expect(await shown(yesterday)).toEqual([true]);
  await asOwner(`UPDATE organizations SET timezone = 'UTC' WHERE id = $1`, [organizationId]);
});

test('officers who see no amounts get none in any answer', async () => {
  const id = await own(5_000);
  await discount(id, 1_000);
  await pay(id, 1_500);
  await hideAmounts(true);
  const [detail, list] = [
    await stage.officer.get(one(id)),
    await stage.officer.get(ofChapter('?payer_type=member&page_size=100')),
  ];
  expect(detail.body).toMatchObject({
    status: 'partially_paid',
    balance_due_cents: null,
    payments: [{ amount_cents: null }],
  });
  const amounts = [...JSON.stringify([detail.body, list.body]).matchAll(/"\w+_cents":(\w+)/g)].map(
    ([, value]) => value,
  );
  expect(new Set(amounts)).toEqual(new Set(['null']));
  const ordered = await stage.officer.get(ofChapter('?ordering=balance_due_cents'));
  expect(ordered).toMatchObject({ status: 400, body: { errors: { ordering: [expect.any(String)] } } });

  expect((await stage.member.get(one(id))).body).toMatchObject({ balance_due_cents: 2_500 });
  expect((await stage.as(stage.world.regionalAdmin).get(one(id))).body).toMatchObject({ balance_due_cents: 2_500 });
  expect((await stage.admin.get(ofChapter('?ordering=balance_due_cents'))).status).toBe(200);
});

test('an organization admin voids an invoice once, with a reason', async () => {
  const id = await own();
  const voiding = (client = stage.admin, body: unknown = { reason: 'Billed by mistake' }) =>
    client.post(`${one(id)}void/`, body);
  expect(await voiding(stage.officer)).toMatchObject({ status: 403 });
  expect(await voiding(stage.as(stage.world.otherOfficer))).toMatchObject({ status: 404 });
  for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 7 }]) {
    expect(await voiding(stage.admin, body)).toMatchObject({
      status: 400,
      body: { errors: { reason: [expect.any(String)] } },
    });
  }
  expect(await voiding()).toMatchObject({
    status: 200,
    body: { status: 'void', balance_due_cents: 0, void_reason: 'Billed by mistake' },
  });
  expect(await voiding()).toMatchObject({ status: 409, body: { code: 'invoice_void' } });
});

describe('the actions that an invoice names', () => {
  const REASON = { reason: 'Agreed with the payer' };
  const adjust = (kind: string) => ({ path: 'adjust/', body: { ...REASON, kind, amount_cents: 1 } });
  const requestOf: Record<string, { path: string; body: object }> = {
    refund: { path: 'refund/', body: { ...REASON, reference: 'Check 7' } },
    credit: adjust('credit'),
    fee: adjust('fee'),
    waiver: adjust('waiver'),
    regenerate: { path: '', body: { dry_run: true } },
    void: { path: 'void/', body: REASON },
  };
  const addressOf = (id: string, action: string) =>
    action === 'regenerate'
      ? `/api/hq/dues/${stage.world.organizationId}/invoices/${id}/regenerate/`
      : `${one(id)}${requestOf[action]?.path}`;
  const newMember = () => aMember(stage.world.organizationId, stage.world.chapterId);
  const billed = ({ membershipId }: Person) =>
    anInvoice(stage.world, { chapterId: stage.world.chapterId, membershipId });
  const recurring = async () => {
    const id = await billed(await newMember());
    await asOwner('UPDATE chapter_invoices SET is_recurring = true WHERE id = $1', [id]);
    return id;
  };
  const paid = async () => {
    const id = await own();
    await pay(id, 5_000);
    return id;
  };
  const voided = async () => {
    const id = await own();
    await stage.admin.post(`${one(id)}void/`, REASON);
    return id;
  };
  const waived = async () => {
    const id = await own();
    await stage.admin.post(`${one(id)}adjust/`, { ...REASON, kind: 'waiver', amount_cents: 5_000 });
    return id;
  };
  const officers = () => billed(stage.world.officer);

  /** Each action with the code of its refusal, or null; as the invoice names them. */
  const named = async (person: Person, id: string) =>
    Object.fromEntries(
      (await stage.as(person).get(one(id))).body.actions.map(
        ({ action, why_not }: { action: string; why_not: { code: string } | null }) => [action, why_not?.code ?? null],
      ),
    );

  test('they are those that the requests accept, with the code of each refusal', async () => {
    const { organizationId, termId, admin, officer } = stage.world;
    await asOwner(
      `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, 'undergrad', 6000)`,
      [organizationId, termId],
    );
    for (const person of [admin, officer])
      for (const make of [own, recurring, paid, waived, voided, officers, chapters])
        for (const action of Object.keys(requestOf)) {
          const id = await make();
          const actions = await named(person, id);
          const { status, body } = await stage.as(person).post(addressOf(id, action), requestOf[action]?.body);
          const refusal = status < 300 ? null : body.code;
          expect([make.name, action, refusal]).toEqual([
            make.name,
            action,
            action in actions ? actions[action] : 'forbidden',
          ]);
        }
  }, 30_000);

  test('they differ by reader and state', async () => {
    const { admin, officer, regionalAdmin } = stage.world;
    const payer = await newMember();
    const id = await billed(payer);
    expect(await named(admin, id)).toEqual({
      refund: 'nothing_to_refund',
      credit: 'credit_not_available',
      fee: null,
      waiver: null,
      regenerate: 'invoice_not_regenerable',
      void: null,
    });
    await pay(id, 5_000);
    expect((await stage.admin.get(one(id))).body.refundable_cents).toBe(5_000);
    expect(await named(officer, id)).toEqual({ refund: null, credit: 'credit_not_available', fee: null });
    expect(await named(officer, await officers())).toMatchObject({ credit: 'own_invoice', fee: 'own_invoice' });
    for (const person of [payer, regionalAdmin]) expect(await named(person, id)).toEqual({});
    await hideAmounts(true);
    expect(await named(officer, id)).toEqual({ refund: null, credit: 'amounts_hidden', fee: 'amounts_hidden' });
    expect((await stage.officer.get(one(id))).body.refundable_cents).toBe(null);
  });
});

test('lists of invoices take one statement for any number of rows', async () => {
  for (let n = 0; n < 10; n += 1) await own(100 + n, n);
  for (const path of [all('?page_size=100'), all('?page_size=2')]) {
    expect(await countStatements(() => stage.admin.get(path))).toBe(1);
  }
  expect(await countStatements(() => stage.admin.get(ofChapter('?payer_type=member&page_size=100')))).toBe(3);
  expect(await countStatements(() => stage.officer.get(ofChapter('?payer_type=member')))).toBe(3);
  const id = await own();
  expect(await countStatements(() => stage.admin.get(one(id)))).toBe(3);
});
