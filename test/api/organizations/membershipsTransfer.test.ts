/** Tests transfers of members to another chapter. */
import { applyNextChange } from '../../../models/organizations/lifecycle/applyChanges.js';
import { asOwner } from '../../support/owner.js';
import { aMember, anInvoice, aPlaceholder, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const { world } = stage;
const here = (role = 'member', status = 'undergrad') => aMember(world.organizationId, world.chapterId, role, status);
const path = (id: string, rest = '') => `/api/memberships/${id}/${rest}`;
const post = (id: string, body: object, by = stage.admin) => by.post(path(id, 'transfer/'), body);
const there = () => ({ to_chapter: world.otherChapterId });
const preview = async (id: string, more: object = {}) => {
  const { status, body } = await post(id, { ...there(), ...more, dry_run: true });
  expect(status).toBe(200);
  return body;
};
const transfer = async (id: string, more: object = {}) => {
  const { preview_hash } = await preview(id, more);
  return post(id, { ...there(), ...more, preview_hash });
};
const read = async (id: string) => (await stage.admin.get(path(id))).body;
const periods = (id: string) =>
  asOwner<{ status: string }>(
    'SELECT status, role, source, valid_to::text FROM membership_periods WHERE membership_id = $1 ORDER BY ordinal',
    [id],
  );
const today = async (ahead = 0) =>
  (
    await asOwner<{ day: string }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC' + make_interval(days => $1), 'YYYY-MM-DD') AS day`,
      [ahead],
    )
  )[0]?.day as string;

test('a transfer does what its preview shows: personal data move, office and requests end, the account stays', async () => {
  const person = await here('officer');
  const invoice = await anInvoice(world, { ...person, cents: 4_000 });
  await asOwner(
    `UPDATE memberships SET graduation_year = 2028, graduation_season = 'FALL', pledge_class = 'Beta', line_number = 7 WHERE id = $1`,
    [person.membershipId],
  );
  await stage.admin.patch(path(person.membershipId), { status: 'alumni', effective_on: await today(30) });
  const change = { status: 'associate', reason: 'Please.' };
  const request = await stage.as(person).post(path(person.membershipId, 'status-change-requests/'), change);
  const shown = await preview(person.membershipId);
  expect(shown).toMatchObject({
    dry_run: true,
    from_chapter: world.chapterId,
    to_chapter: world.otherChapterId,
    effective_on: await today(),
    status: 'undergrad',
    role: 'member',
    reopens: null,
    terms: [{ position: 'other', title: 'Officer' }],
    requests: [{ id: request.body.id, kind: 'status_change' }],
    scheduled_changes: [{ status: 'alumni' }],
    account: { open_invoices: 1, due_cents: 4_000, credit_cents: 0, moving_credit_cents: 0 },
  });
  expect((await read(person.membershipId)).status).toBe('undergrad');
  const done = await post(person.membershipId, { ...there(), preview_hash: shown.preview_hash });
  expect(done).toMatchObject({
    status: 201,
    body: {
      user: person.userId,
      chapter: world.otherChapterId,
      status: 'undergrad',
      role: 'member',
      joined_date: await today(),
      graduation_year: 2028,
      graduation_season: 'FALL',
      pledge_class: 'Beta',
      line_number: 7,
    },
  });
  expect(await read(person.membershipId)).toMatchObject({ status: 'inactive', role: 'member' });
  expect(await periods(person.membershipId)).toMatchObject([
    {},
    { status: 'inactive', source: 'transfer', valid_to: null },
  ]);
  expect(await periods(done.body.id)).toMatchObject([{ status: 'undergrad', source: 'transfer', valid_to: null }]);
  const state = await asOwner(
    `SELECT (SELECT ended_on IS NOT NULL FROM officer_terms WHERE membership_id = $1) AS term_ended,
            (SELECT state FROM membership_scheduled_changes WHERE membership_id = $1) AS change,
            (SELECT status FROM status_change_requests WHERE membership_id = $1) AS request,
            (SELECT membership_id FROM chapter_invoices WHERE id = $2) AS billed,
            (SELECT count(*)::int FROM audit_log WHERE action = 'membership.transferred' AND subject_id = $1) AS logged,
            (SELECT array_agg(subject_id ORDER BY subject_id) FROM notifications
              WHERE recipient_id = $3 AND notification_type = 'membership_changed') AS told`,
    [person.membershipId, invoice, person.userId],
  );
  expect(state).toEqual([
    {
      term_ended: true,
      change: 'cancelled',
      request: 'withdrawn',
      billed: person.membershipId,
      logged: 1,
      told: [person.membershipId, done.body.id].toSorted((one, other) => (one < other ? -1 : 1)),
    },
  ]);
  // The member still sees it where it was billed.
  expect((await stage.as(person).get(`/api/invoices/${invoice}/`)).status).toBe(200);
  expect((await stage.as(person).get(path(done.body.id))).status).toBe(200);
});

test("a transfer ends the member's planned terms and hand-over requests and shows them in the preview", async () => {
  const chapter = `/api/chapters/${world.chapterId}`;
  const [holder, heir, other] = [await here(), await here(), await here()];
  const give = async (person: Person, position: string, more: object = {}) =>
    (await stage.admin.post(`${chapter}/officer-terms/`, { membership: person.membershipId, position, ...more })).body;
  const term = await give(holder, 'treasurer');
  const elsewhere = await give(other, 'secretary');
  const planned = await give(holder, 'intake', { starts_on: await today(30) });
  const handOver = async (from: Person, id: string, to: Person) =>
    (await stage.as(from).post(`/api/officer-terms/${id}/hand-over/`, { successor: to.membershipId })).body.id;
  const by = await handOver(holder, term.id, heir);
  const to = await handOver(other, elsewhere.id, holder);

  const shown = await preview(holder.membershipId);
  expect(shown).toMatchObject({
    terms: [{ id: term.id, position: 'treasurer' }],
    planned_terms: [{ id: planned.id, position: 'intake', starts_on: await today(30) }],
    requests: [by, to].map((id) => ({ id, kind: 'hand_over' })),
  });
  const done = await post(holder.membershipId, { ...there(), preview_hash: shown.preview_hash });
  expect(done).toMatchObject({ status: 201, body: { role: 'member' } });
  const state = await asOwner(
    `SELECT (SELECT ended_on IS NOT NULL FROM officer_terms WHERE id = $1) AS ended,
            (SELECT ended_on IS NULL FROM officer_terms WHERE id = $2) AS goes_on,
            (SELECT state FROM planned_terms WHERE id = $3) AS planned,
            (SELECT array_agg(DISTINCT status) FROM hand_over_requests WHERE id IN ($4, $5)) AS asked`,
    [term.id, elsewhere.id, planned.id, by, to],
  );
  expect(state).toEqual([{ ended: true, goes_on: true, planned: 'cancelled', asked: ['withdrawn'] }]);
});

test('alumni stay alumni, and a returning member gets the old membership back', async () => {
  const person = await here('alumni', 'alumni');
  const { body: away } = await transfer(person.membershipId);
  expect(away).toMatchObject({ status: 'alumni', role: 'alumni' });
  await stage.admin.patch(path(away.id), { status: 'lifetime_alumni' });
  const back = { to_chapter: world.chapterId };
  expect(await preview(away.id, back)).toMatchObject({ reopens: person.membershipId });
  const { body } = await transfer(away.id, back);
  expect(body).toMatchObject({ id: person.membershipId, status: 'lifetime_alumni', role: 'alumni' });
  expect(await periods(person.membershipId)).toMatchObject([
    { status: 'alumni', source: 'added' },
    { status: 'inactive', source: 'transfer' },
    { status: 'lifetime_alumni', source: 'transfer' },
  ]);
  expect((await transfer(person.membershipId)).body.id).toBe(away.id);
  const pairs = await asOwner('SELECT FROM memberships WHERE user_id = $1', [person.userId]);
  expect(pairs).toHaveLength(2);
});

test('officers of the old chapter cannot reactivate a transferred member', async () => {
  const person = await here();
  await transfer(person.membershipId);
  const refused = await stage.officer.patch(path(person.membershipId), { status: 'undergrad' });
  expect(refused).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('admins of the organization') },
  });
  // An intermediate change does not allow it either.
  await stage.officer.patch(path(person.membershipId), { role: 'alumni' });
  expect((await stage.officer.patch(path(person.membershipId), { status: 'undergrad' })).status).toBe(403);
  const late = { status: 'undergrad', effective_on: await today(2) };
  expect((await stage.officer.patch(path(person.membershipId), late)).status).toBe(403);
  expect((await stage.admin.patch(path(person.membershipId), { status: 'undergrad' })).status).toBe(200);
});

test('of ten concurrent transfers one is made, and the others get a conflict', async () => {
  const person = await here();
  const { preview_hash } = await preview(person.membershipId);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post(person.membershipId, { ...there(), preview_hash })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const codes = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code);
  expect(codes.every((code) => ['transfer_in_progress', 'transition_not_allowed'].includes(code))).toBe(true);
  expect(await asOwner('SELECT FROM memberships WHERE user_id = $1', [person.userId])).toHaveLength(2);
});

test('a transfer with a stale preview is refused', async () => {
  const person = await here();
  const { preview_hash } = await preview(person.membershipId);
  await anInvoice(world, person);
  expect((await post(person.membershipId, { ...there(), preview_hash })).body.code).toBe('preview_stale');
  expect((await read(person.membershipId)).status).toBe('undergrad');
});

test('a future transfer is a scheduled change, the only one of its member, cancelled or applied once', async () => {
  const person = await here();
  const day = await today(1);
  const { status, body: scheduled } = await transfer(person.membershipId, { effective_on: day });
  expect([status, scheduled]).toMatchObject([
    202,
    { to_chapter: world.otherChapterId, state: 'scheduled', status: null },
  ]);
  expect((await transfer(person.membershipId)).body.code).toBe('transfer_in_progress');
  const changes = path(person.membershipId, 'scheduled-changes/');
  expect((await stage.as(person).get(changes)).body.results).toMatchObject([{ id: scheduled.id }]);
  expect((await stage.officer.post(`${changes}${scheduled.id}/cancel/`)).status).toBe(403);
  expect((await stage.admin.post(`${changes}${scheduled.id}/cancel/`)).body.state).toBe('cancelled');
  const again = await transfer(person.membershipId, { effective_on: day });
  await asOwner('UPDATE membership_scheduled_changes SET effective_on = $2 WHERE id = $1', [
    again.body.id,
    await today(),
  ]);
  const due = { organizationId: world.organizationId, day };
  expect([await applyNextChange(due), await applyNextChange(due)]).toEqual([true, false]);
  expect((await read(person.membershipId)).status).toBe('inactive');
  const [made] = await asOwner('SELECT status FROM memberships WHERE user_id = $1 AND chapter_id = $2', [
    person.userId,
    world.otherChapterId,
  ]);
  expect(made).toEqual({ status: 'undergrad' });
});

test('a future transfer is checked again on its day and refused on record', async () => {
  const person = await here();
  const { body } = await transfer(person.membershipId, { effective_on: await today(1) });
  await stage.admin.patch(path(person.membershipId), { status: 'inactive' });
  await asOwner('UPDATE membership_scheduled_changes SET effective_on = $2 WHERE id = $1', [body.id, await today()]);
  await applyNextChange({ organizationId: world.organizationId, day: await today(1) });
  const [change] = (await stage.admin.get(path(person.membershipId, 'scheduled-changes/'))).body.results;
  expect(change).toMatchObject({ state: 'refused', refusal: 'transition_not_allowed' });
});

test('a transfer in the past keeps its date in both chapters', async () => {
  const person = await here();
  await stage.admin.patch(path(person.membershipId), { joined_date: '2024-09-01' });
  const { body } = await transfer(person.membershipId, { effective_on: '2025-01-15' });
  expect(body.joined_date).toBe('2025-01-15');
  const on = async (chapter: string, day: string) => {
    const { results } = (await stage.admin.get(`/api/chapters/${chapter}/members/?on=${day}&page_size=100`)).body;
    return (results as { user: string; status: string }[]).find(({ user }) => user === person.userId)?.status;
  };
  expect([await on(world.chapterId, '2025-01-14'), await on(world.otherChapterId, '2025-01-14')]).toEqual([
    'undergrad',
    undefined,
  ]);
  expect([await on(world.chapterId, '2025-01-15'), await on(world.otherChapterId, '2025-01-15')]).toEqual([
    'inactive',
    'undergrad',
  ]);
  const early = await post(body.id, { to_chapter: world.chapterId, effective_on: '2025-01-14', dry_run: true });
  const answer = await post(body.id, {
    to_chapter: world.chapterId,
    effective_on: '2025-01-14',
    preview_hash: early.body.preview_hash,
  });
  expect(answer.body.code).toBe('later_change_exists');
});

test('former, invited and present members of the target cannot be transferred, nor any member to an inactive chapter', async () => {
  const dry = (id: string, more: object = {}) => post(id, { ...there(), ...more, dry_run: true });
  const { membershipId } = await here('member', 'inactive');
  expect((await dry(membershipId)).body.code).toBe('transition_not_allowed');
  const both: Person = await here();
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    world.organizationId,
    both.userId,
    world.otherChapterId,
  ]);
  expect((await dry(both.membershipId)).body.code).toBe('membership_exists');
  const [invited] = await asOwner<{ id: string }>(
    'INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3) RETURNING id',
    [world.organizationId, await aPlaceholder(world.organizationId), world.chapterId],
  );
  expect((await dry(invited?.id as string)).body.code).toBe('invitation_open');
  const [closed] = await asOwner<{ id: string }>(
    `INSERT INTO chapters (organization_id, name, status) VALUES ($1, 'Closed', 'suspended') RETURNING id`,
    [world.organizationId],
  );
  const ordinary = await here();
  expect((await dry(ordinary.membershipId, { to_chapter: closed?.id })).body.code).toBe('chapter_not_active');
  for (const to_chapter of [world.chapterId, stage.other.chapterId])
    expect((await dry(ordinary.membershipId, { to_chapter })).body.errors).toHaveProperty('to_chapter');
  expect((await post(ordinary.membershipId, there())).body.errors).toHaveProperty('preview_hash');
});

test('a transfer is for admins of the organization only', async () => {
  const { membershipId } = await here();
  const dry = { ...there(), dry_run: true };
  for (const person of [world.officer, world.regionalAdmin, world.member])
    expect((await post(membershipId, dry, stage.as(person))).status).toBe(403);
  expect((await post(membershipId, dry, stage.nobody)).status).toBe(401);
  await expectNowhere(stage.other.member.membershipId, (id) => post(id, dry));
});
