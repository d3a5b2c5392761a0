import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';

const stage = apiWorld();
const list = (id = stage.world.chapterId) => `/api/chapters/${id}/officer-terms/`;
const path = (id: string, chapter = stage.world.chapterId) => `${list(chapter)}${id}/`;
const handOver = (id: string) => `/api/officer-terms/${id}/hand-over/`;
const inChapter = (role = 'member', status = 'undergrad') =>
  aMember(stage.world.organizationId, stage.world.chapterId, role, status);
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const standing = async ({ membershipId }: Person) =>
  (await asOwner<{ role: string }>('SELECT role FROM memberships WHERE id = $1', [membershipId]))[0]?.role;
/** Returns the positions that a person holds. */
const holds = async ({ membershipId }: Person) =>
  (
    await asOwner<{ position: string }>(
      'SELECT position FROM officer_terms WHERE membership_id = $1 AND ended_on IS NULL ORDER BY position',
      [membershipId],
    )
  ).map(({ position }) => position);
const give = async (person: Person, position: string, more: object = {}) =>
  (await stage.admin.post(list(), { membership: person.membershipId, position, ...more })).body;
/** Frees the offices of the chapter. */
const vacate = () =>
  asOwner(`UPDATE memberships SET role = 'member' WHERE chapter_id = $1 AND role = 'president'`, [
    stage.world.chapterId,
  ]);

beforeEach(vacate);
afterEach(expectSoundLedger);

test('the role follows the terms, with entries in history, log and bell', async () => {
  const person = await inChapter();
  const made = await stage.admin.post(list(), {
    membership: person.membershipId,
    position: 'president',
    ends_on: day(200),
  });
  expect(made).toMatchObject({
    status: 201,
    body: { position: 'president', starts_on: day(0), ends_on: day(200), ended_on: null, holds_over: false },
  });
  expect(await standing(person)).toBe('president');
  const actions = await asOwner('SELECT action FROM audit_log WHERE subject_id = ANY ($1) ORDER BY id', [
    [made.body.id, person.membershipId],
  ]);
  expect(actions.map(({ action }) => action)).toEqual(['officer_term.created', 'membership.updated']);
  const [period] = await asOwner(
    `SELECT role, source, actor_user_id FROM membership_periods WHERE membership_id = $1 AND valid_to IS NULL`,
    [person.membershipId],
  );
  expect(period).toEqual({ role: 'president', source: 'office', actor_user_id: stage.world.admin.userId });
  const sql = 'SELECT notification_type FROM notifications WHERE recipient_id = $1';
  expect(await asOwner(sql, [person.userId])).toEqual([{ notification_type: 'membership_changed' }]);

  await give(person, 'treasurer');
  const ended = await stage.admin.patch(path(made.body.id), { ended_on: day(0) });
  expect(ended).toMatchObject({ status: 200, body: { ended_on: day(0) } });
  expect([await standing(person), await holds(person)]).toEqual(['officer', ['treasurer']]);
  expect((await stage.admin.patch(path(made.body.id), { ended_on: day(0) })).body.code).toBe('term_ended');
});

test('the terms follow every change of the role', async () => {
  const person = await inChapter();
  const to = (role: string) => stage.admin.patch(`/api/memberships/${person.membershipId}/`, { role });
  for (const [role, held] of [
    ['officer', ['other']],
    ['president', ['other', 'president']],
    ['officer', ['other']],
    ['advisor', []],
    ['president', ['president']],
    ['officer', ['other']],
    ['member', []],
  ] as const) {
    expect((await to(role)).status).toBe(200);
    expect([role, await standing(person), await holds(person)]).toEqual([role, role, held]);
  }
  await asOwner(`UPDATE memberships SET role = 'president' WHERE id = $1`, [person.membershipId]);
  await asOwner(`UPDATE memberships SET status = 'alumni' WHERE id = $1`, [person.membershipId]);
  expect([await standing(person), await holds(person)]).toEqual(['alumni', []]);
  expect(await holds(await inChapter('officer'))).toEqual(['other']);
});

test('an office needs active standing', async () => {
  const alumna = await inChapter('member', 'alumni');
  const refused = await stage.admin.post(list(), { membership: alumna.membershipId, position: 'secretary' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'not_in_active_standing' } });
  expect(await holds(alumna)).toEqual([]);
});

test('a chapter has one president even after concurrent appointments', async () => {
  const people = [await inChapter(), await inChapter(), await inChapter()];
  const answers = await Promise.all([
    ...people.map((person) => stage.admin.post(list(), { membership: person.membershipId, position: 'president' })),
    ...people.map((person) => stage.admin.patch(`/api/memberships/${person.membershipId}/`, { role: 'president' })),
  ]);
  for (const { status, body } of answers.filter(({ status }) => status >= 300))
    expect([status, ['office_taken', 'conflict', 'stale_version', 'duplicate']]).toEqual([
      409,
      expect.arrayContaining([body.code]),
    ]);
  const presidents = await Promise.all(people.map(standing));
  expect(presidents.filter((role) => role === 'president')).toHaveLength(1);
  const late = await stage.admin.post(list(), { membership: (await inChapter()).membershipId, position: 'president' });
  expect(late).toMatchObject({ status: 409, body: { code: 'office_taken' } });
  const added = { email: 'p@example.org', first_name: 'A', last_name: 'B', role: 'president' };
  const member = await stage.admin.post(`/api/chapters/${stage.world.chapterId}/members/`, added);
  expect(member).toMatchObject({ status: 409, body: { code: 'office_taken' } });
});

test("an officer past the planned end keeps the office and can still spend the chapter's money", async () => {
  const person = await inChapter();
  const term = await give(person, 'treasurer', { starts_on: day(0) });
  await asOwner(`UPDATE officer_terms SET starts_on = $2, ends_on = $3 WHERE id = $1`, [term.id, day(-400), day(-30)]);
  const { body } = await stage.as(person).get(`${list()}?running=true&ordering=starts_on`);
  expect(body.results[0]).toMatchObject({ id: term.id, holds_over: true, ends_on: day(-30), ended_on: null });
  const invoice = await anInvoice(stage.world, {
    chapterId: stage.world.chapterId,
    membershipId: stage.world.member.membershipId,
  });
  const remittance = await stage.as(person).post('/api/billing/remittances/', {
    chapter: stage.world.chapterId,
    allocations: [{ invoice, amount_cents: 10_000 }],
  });
  expect([remittance.status, remittance.body]).toEqual([201, expect.objectContaining({ status: 'draft' })]);
});

describe('a hand-over of an office', () => {
  test('a hand-over ends one term and begins the next, or does nothing', async () => {
    const [president, successor] = [await inChapter(), await inChapter()];
    const term = await give(president, 'president', { title: 'Consul' });
    const alumna = await inChapter('member', 'alumni');
    const refused = await stage.admin.post(handOver(term.id), { successor: alumna.membershipId });
    expect(refused).toMatchObject({ status: 409, body: { code: 'not_in_active_standing' } });
    expect([await standing(president), await holds(president)]).toEqual(['president', ['president']]);

    const next = await stage.as(stage.world.regionalAdmin).post(handOver(term.id), {
      successor: successor.membershipId,
      ends_on: day(365),
    });
    expect(next).toMatchObject({
      status: 201,
      body: { membership: successor.membershipId, position: 'president', title: 'Consul', ends_on: day(365) },
    });
    expect([await standing(president), await standing(successor)]).toEqual(['member', 'president']);
    const again = await stage.admin.post(handOver(term.id), { successor: successor.membershipId });
    expect(again).toMatchObject({ status: 409, body: { code: 'term_ended' } });
  });

  test('a hand-over to an invited person is refused', async () => {
    const president = await inChapter();
    const term = await give(president, 'president');
    const { body: invited } = await stage.admin.post(`/api/chapters/${stage.world.chapterId}/members/`, {
      email: 'heir@example.org',
      first_name: 'Typed',
      last_name: 'Heir',
    });
    for (const [client, effective_on] of [
      [stage.admin, undefined],
      [stage.admin, day(3)],
      [stage.as(president), undefined],
    ] as const) {
      const refused = await client.post(handOver(term.id), { successor: invited.id, effective_on });
      expect(refused).toMatchObject({ status: 409, body: { code: 'invitation_open' } });
    }
    expect([await standing(president), await holds(president)]).toEqual(['president', ['president']]);
  });

  test('of many concurrent hand-overs one has an effect', async () => {
    const president = await inChapter();
    const term = await give(president, 'president');
    const heirs = [await inChapter(), await inChapter(), await inChapter(), await inChapter()];
    const answers = await Promise.all(
      [...heirs, ...heirs].map((heir) => stage.admin.post(handOver(term.id), { successor: heir.membershipId })),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array(7).fill(409),
    ]);
    expect((await Promise.all(heirs.map(standing))).filter((role) => role === 'president')).toHaveLength(1);
  });

  test('a hand-over stays within the chapter, goes to another person, and is not before the term began', async () => {
    const president = await inChapter();
    const term = await give(president, 'president');
    const post = async (body: object) =>
      Object.keys((await stage.admin.post(handOver(term.id), body)).body.errors ?? {});
    expect(await post({ successor: stage.world.otherOfficer.membershipId })).toEqual(['successor']);
    expect(await post({ successor: stage.other.member.membershipId })).toEqual(['successor']);
    expect(await post({ successor: president.membershipId })).toEqual(['successor']);
    const successor = (await inChapter()).membershipId;
    expect(await post({ successor, effective_on: '2199-01-01' })).toEqual(['effective_on']);
    expect(await post({ successor, effective_on: day(-2) })).toEqual(['effective_on']);
  });
});

test('wrong fields of a term are refused by name', async () => {
  const { membershipId: membership } = await inChapter();
  const post = async (body: object) => {
    const answer = await stage.admin.post(list(), { membership, position: 'intake', ...body });
    return [answer.status, ...Object.keys(answer.body.errors ?? {})];
  };
  expect(await post({ starts_on: '2199-01-01' })).toEqual([400, 'starts_on']);
  expect(await post({ ends_on: day(-3) })).toEqual([400, 'ends_on']);
  expect(await post({ membership: stage.other.member.membershipId })).toEqual([400, 'membership']);
  expect(await post({ position: 'chancellor' })).toEqual([400, 'position']);
  expect(await post({})).toEqual([201]);
  expect(await post({})).toEqual([409]);
});

test('admins of the region and the organization begin and end terms, and officers do not', async () => {
  const { world } = stage;
  const { membershipId: membership } = await inChapter();
  const term = await give(await inChapter(), 'secretary');
  for (const person of [world.officer, world.member, world.otherOfficer]) {
    expect((await stage.as(person).post(list(), { membership, position: 'other' })).status).toBe(403);
    expect((await stage.as(person).patch(path(term.id), { title: 'X' })).status).toBe(403);
    expect((await stage.as(person).delete(path(term.id))).status).toBe(403);
    if (person !== world.officer)
      expect((await stage.as(person).post(handOver(term.id), { successor: membership })).status).toBe(403);
  }
  expect((await stage.as(world.otherOfficer).get(list())).status).toBe(403);
  expect((await stage.member.get(`/api/chapters/${world.chapterId}/succession/`)).status).toBe(403);
  expect((await stage.nobody.get(list())).status).toBe(401);
  const regional = stage.as(world.regionalAdmin);
  const edited = await regional.patch(path(term.id), { title: 'Scribe', ends_on: day(10), version: term.version });
  expect(edited).toMatchObject({ status: 200, body: { title: 'Scribe', ends_on: day(10) } });
  expect((await regional.patch(path(term.id), { title: 'X', version: term.version })).body.code).toBe('stale_version');
  expect((await regional.delete(path(term.id))).status).toBe(204);
  expect((await regional.post(list(world.otherChapterId), { membership, position: 'other' })).status).toBe(403);
});

test("another organization's terms are a 404, and so is a term at another chapter's address", async () => {
  const { other } = stage;
  const [theirs] = await asOwner<{ id: string }>('SELECT id FROM officer_terms WHERE chapter_id = $1', [
    other.chapterId,
  ]);
  const { membershipId: successor } = await inChapter();
  await expectNowhere(other.chapterId, (id) => stage.admin.get(list(id)));
  await expectNowhere(other.chapterId, (id) => stage.admin.get(`/api/chapters/${id}/succession/`));
  await expectNowhere(theirs?.id as string, (id) => stage.admin.patch(path(id), { title: 'X' }));
  await expectNowhere(theirs?.id as string, (id) => stage.admin.delete(path(id)));
  await expectNowhere(theirs?.id as string, (id) => stage.admin.post(handOver(id), { successor }));
  const term = await give(await inChapter(), 'other');
  expect((await stage.admin.patch(path(term.id, stage.world.otherChapterId), { title: 'X' })).status).toBe(404);
});

test('the succession report lists terms, vacancies and pending work', async () => {
  const { chapterId } = stage.world;
  const president = await inChapter('president');
  await anInvoice(stage.world, { chapterId, membershipId: null });
  const { body } = await stage.as(president).get(`/api/chapters/${chapterId}/succession/`);
  expect(body.terms).toContainEqual(
    expect.objectContaining({ membership: president.membershipId, position: 'president', name: expect.any(String) }),
  );
  expect(body.vacancies).toContain('vice_president');
  expect(body.vacancies).not.toContain('president');
  expect(body.open_work).toContainEqual({
    kind: 'unpaid_chapter_invoices',
    count: 1,
    path: `/api/chapters/${chapterId}/invoices/`,
  });
  expect(body.open_work).toContainEqual(expect.objectContaining({ kind: 'draft_remittances', count: 1 }));
  for (const { path: where } of body.open_work) expect((await stage.as(president).get(where)).status).toBe(200);
  await vacate();
  expect((await stage.officer.get(`/api/chapters/${chapterId}/succession/`)).body.vacancies).toContain('president');
});

test('the list is one statement for any number of terms', async () => {
  const before = await countStatements(() => stage.officer.get(list()));
  await give(await inChapter(), 'other');
  await give(await inChapter(), 'other');
  expect([before, await countStatements(() => stage.officer.get(list()))]).toEqual([3, 3]);
});
