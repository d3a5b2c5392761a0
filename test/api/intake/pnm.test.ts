/** Prospective members: added by officers, moved through the stages, and without access until they cross. */
import { inTenant } from '../../../models/database/tenancy.js';
import { carryOver } from '../../../models/intake/crossings/crossingSteps.js';
import type { Client } from '../../support/api.js';
import { AUDIT_LOG } from '../../support/auditLog.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aMember, type Person } from '../../support/world.js';

const stage = apiWorld();
const { world } = stage;
const inChapter = (chapter = world.chapterId) => `/api/chapters/${chapter}/pnm/`;
const one = (id: string, rest = '') => `/api/pnm/${id}/${rest && `${rest}/`}`;
let n = 0;
const add = async (more: object = {}) => {
  const email = `prospect${(n += 1)}@example.org`;
  const made = await stage.officer.post(inChapter(), { email, first_name: 'Pia', last_name: `Prospect ${n}`, ...more });
  expect(made).toMatchObject({ status: 201 });
  return made.body;
};
const move = (id: string, to: string, more: object = {}, by = stage.officer) =>
  by.post(one(id, 'transition'), { to, ...more });
const moveThrough = async (id: string, ...stages: string[]) => {
  for (const to of stages) expect((await move(id, to)).status).toBe(200);
};

test('an officer adds a prospective member, who is listed in the queue and has no access', async () => {
  const accountHolder = await aMember(world.organizationId, world.otherChapterId);
  const added = await add({
    email: accountHolder.email,
    birth_date: '2005-04-12',
    gpa: 3.42,
    admin_notes: 'Quiet.',
  });
  expect(added).toMatchObject({
    stage: 'not_started',
    status: 'pnm',
    user: accountHolder.userId,
    email: accountHolder.email,
    gpa: 3.42,
    birth_date: '2005-04-12',
  });
  // Only the person themselves may give demographic data.
  for (const answer of [
    await stage.officer.patch(one(added.id), { ethnicity: 'Said by another' }),
    await stage.officer.post(inChapter(), { email: 'a@example.org', first_name: 'A', last_name: 'B', ethnicity: 'x' }),
  ])
    expect(answer.body.errors).toHaveProperty('ethnicity');
  const { body } = await stage.officer.get(`${inChapter()}?stage=not_started&search=${accountHolder.email}`);
  expect(body.results).toContainEqual(expect.objectContaining({ id: added.id, stage: 'not_started' }));
  expect((await stage.as(accountHolder).get(one(added.id))).status).toBe(403);
  const applicant = await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
  expect((await stage.as(applicant).get(inChapter())).body.code).toBe('membership_ended');
});

test('a transition follows the table of stages and needs the authority that it names', async () => {
  const { id } = await add();
  expect((await move(id, 'completed')).body).toMatchObject({
    code: 'transition_not_allowed',
    detail: expect.stringContaining('approved, rejected, withdrawn'),
  });
  expect((await move(id, 'rejected')).body.errors).toEqual({ reason: [expect.any(String)] });
  expect((await move(id, 'rejected', { reason: 'Not this year.' })).body).toMatchObject({
    stage: 'rejected',
    status: 'inactive',
    stage_reason: 'Not this year.',
  });
  expect((await move(id, 'not_started')).status).toBe(403);
  const membership = (await stage.officer.get(one(id))).body.membership;
  for (const by of [stage.officer, stage.as(world.regionalAdmin)])
    expect((await by.patch(`/api/memberships/${membership}/`, { status: 'pnm', reason: 'Again.' })).status).toBe(403);
  expect((await move(id, 'not_started', {}, stage.admin)).body).toMatchObject({
    stage: 'not_started',
    status: 'pnm',
    stage_reason: null,
  });
  // A person who has declined the invitation has no address any more.
  await asOwner(
    `UPDATE invitations SET state = 'declined', token_hash = NULL, closed_at = now() WHERE membership_id = $1`,
    [membership],
  );
  await asOwner('UPDATE users SET typed_email = NULL FROM memberships m WHERE m.id = $1 AND users.id = m.user_id', [
    membership,
  ]);
  expect((await move(id, 'approved', { notify_applicant: true })).status).toBe(200);
  await moveThrough(id, 'in_progress');
  expect((await move(id, 'approved')).body.code).toBe('transition_not_allowed');
  expect((await move(id, 'withdrawn', { reason: 'Called us.', version: 1 })).body.code).toBe('stale_version');
  expect(
    (await move(id, 'withdrawn', { crossed_at: '2025-01-01T00:00:00.000Z', reason: 'x' })).body.errors,
  ).toHaveProperty('crossed_at');
});

test('a completed prospect becomes a member once, with the given crossing date', async () => {
  const accountHolder = await aMember(world.organizationId, world.otherChapterId, 'member', 'inactive');
  const { id, membership } = await add({ email: accountHolder.email });
  expect((await stage.as(accountHolder).get('/api/organizations/public/directory/')).status).toBe(200);
  await moveThrough(id, 'approved', 'in_progress');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  expect((await move(id, 'completed', { crossed_at: tomorrow })).body.errors).toHaveProperty('crossed_at');
  for (const out of ['1700-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'])
    expect((await move(id, 'completed', { crossed_at: out })).body.errors).toHaveProperty('crossed_at');
  const crossed_at = '2025-03-01T12:00:00.000Z';
  const crossed = await move(id, 'completed', { crossed_at, membership_status: 'associate', line_number: 7 });
  expect(crossed.body).toMatchObject({ stage: 'completed', status: 'associate', crossed_at });
  expect((await move(id, 'completed')).body.code).toBe('already_crossed');
  const { body } = await stage.officer.get(one(id, 'crossing'));
  expect(body).toMatchObject({
    membership,
    pnm: id,
    crossed_at,
    status: 'carrying',
    fields: [],
    started_by: world.officer.userId,
  });
  expect((await stage.officer.get(`/api/memberships/${membership}/`)).body).toMatchObject({
    status: 'associate',
    line_number: 7,
  });
  expect((await stage.officer.get(`/api/memberships/${membership}/history/`)).body.results[0]).toMatchObject({
    source: 'crossing',
    status: 'associate',
  });
});

test('an admin reverts a crossing unless the member was billed or the time to revert has ended', async () => {
  const { id, membership } = await add();
  await moveThrough(id, 'approved', 'in_progress', 'completed');
  const crossing = (await stage.admin.get(one(id, 'crossing'))).body.id;
  const revert = (by = stage.admin) => by.post(`/api/crossings/${crossing}/revert/`, { reason: 'The wrong line.' });
  expect((await revert(stage.officer)).status).toBe(403);
  const [run] = await asOwner<{ id: string }>(
    `INSERT INTO dues_runs (organization_id, term_id, due_date, preview_hash) VALUES ($1, $2, current_date, '') RETURNING id`,
    [world.organizationId, world.termId],
  );
  await asOwner(
    `INSERT INTO dues_run_items (organization_id, dues_run_id, chapter_id, membership_id, status, quantity, amount_cents)
     VALUES ($1, $2, $3, $4, 'undergrad', 1, 100)`,
    [world.organizationId, run?.id, world.chapterId, membership],
  );
  expect((await revert()).body.code).toBe('crossing_invoiced');
  await asOwner(`UPDATE dues_runs SET status = 'cancelled' WHERE id = $1`, [run?.id]);
  const [billed] = await asOwner<{ id: string }>(
    `INSERT INTO chapter_invoices (organization_id, chapter_id, term_id, payer_type, membership_id, description, issue_date, due_date, status, total_cents, balance_due_cents)
     SELECT $1, $2, $3, 'member', $4, 'Dues', current_date, current_date, 'open', 100, 100 RETURNING id`,
    [world.organizationId, world.chapterId, world.termId, membership],
  );
  expect((await revert()).body.code).toBe('crossing_invoiced');
  await asOwner('DELETE FROM chapter_invoices WHERE id = $1', [billed?.id]);
  expect((await revert()).body).toMatchObject({ status: 'reverted', reverted_by: world.admin.userId });
  expect((await revert()).body.code).toBe('crossing_reverted');
  expect((await stage.officer.get(one(id))).body).toMatchObject({
    stage: 'in_progress',
    status: 'pnm',
    crossed_at: null,
  });
  await asOwner(`UPDATE crossings SET reverted_at = NULL, created_at = now() - interval '8 days' WHERE id = $1`, [
    crossing,
  ]);
  expect((await revert()).body.code).toBe('revert_too_late');
  expect((await stage.admin.post(`/api/crossings/${crossing}/resume/`)).body.code).toBe('crossing_not_paused');
});

test('the queue can be filtered by status and period', async () => {
  const [period] = await asOwner<{ id: string }>(
    `INSERT INTO recruitment_periods (organization_id, term_id, name, opens_at, closes_at, status)
     VALUES ($1, $2, 'Fall', now(), now() + interval '1 day', 'active') RETURNING id`,
    [world.organizationId, world.termId],
  );
  const { id } = await add();
  const { id: rejectedId } = await add();
  await move(rejectedId, 'rejected', { reason: 'Not this year.' });
  const read = async (query: string) =>
    (await stage.officer.get(`${inChapter()}?${query}`)).body.results.map((entry: { id: string }) => entry.id);
  expect(await read(`period=${period?.id}`)).toEqual([rejectedId, id]);
  expect(await read(`period=${period?.id}&status=pnm`)).toEqual([id]);
  expect(await read('status=inactive&search=prospect')).toContain(rejectedId);
  await asOwner(`UPDATE recruitment_periods SET status = 'closed' WHERE id = $1`, [period?.id]);
});

async function transfer(membership: string): Promise<{ chapter: string; there: string }> {
  const chapter = (
    await stage.admin.post(`/api/organizations/${world.organizationId}/chapters/`, { name: `Third ${(n += 1)}` })
  ).body.id;
  const ask = (more: object) =>
    stage.admin.post(`/api/memberships/${membership}/transfer/`, { to_chapter: chapter, ...more });
  const { preview_hash } = (await ask({ dry_run: true })).body;
  const { status, body } = await ask({ preview_hash });
  expect(status).toBeLessThan(300);
  return { chapter, there: body.id };
}

test('the profile of a prospect moves with a transfer to another chapter', async () => {
  const accountHolder: Person = await aMember(world.organizationId, world.otherChapterId, 'member', 'inactive');
  const { id, membership } = await add({ email: accountHolder.email, permanent_address: '1 Main St' });
  const { chapter } = await transfer(membership);
  expect((await stage.admin.get(one(id))).body).toMatchObject({
    chapter,
    stage: 'not_started',
    status: 'pnm',
    permanent_address: '1 Main St',
  });
  expect((await stage.officer.get(one(id))).status).toBe(403);
});

test('a prospect who crosses and transfers keeps the carried fields, and the crossing cannot be reverted', async () => {
  const accountHolder: Person = await aMember(world.organizationId, world.otherChapterId, 'member', 'inactive');
  const graduation = { expected_graduation_semester: 'Fall', expected_graduation_year: 2027 };
  const { id, membership } = await add({ email: accountHolder.email, ...graduation });
  await moveThrough(id, 'approved', 'in_progress');
  const crossed = { crossed_at: '2025-03-01T12:00:00.000Z' };
  expect((await move(id, 'completed', crossed)).status).toBe(200);
  const crossing = (await stage.admin.get(one(id, 'crossing'))).body;
  expect(crossing.carried_at).toBeNull();
  const { there } = await transfer(membership);
  expect((await stage.admin.get(`/api/memberships/${there}/`)).body).toMatchObject({
    status: 'undergrad',
    crossing_date: '2025-03-01',
    crossing_semester: 'Spring 2025',
    graduation_year: 2028,
  });
  const revert = await stage.admin.post(`/api/crossings/${crossing.id}/revert/`, { reason: 'The wrong line.' });
  expect(revert.body.code).toBe('transition_not_allowed');
});

test('a corrected crossing date corrects the derived semester, but not one that an officer typed', async () => {
  const { id, membership } = await add();
  await moveThrough(id, 'approved', 'in_progress');
  const crossed_at = '2025-03-01T12:00:00.000Z';
  expect((await move(id, 'completed', { crossed_at })).status).toBe(200);
  const crossing = (await stage.admin.get(one(id, 'crossing'))).body.id;
  await inTenant(world.organizationId, () => carryOver(crossing));
  const path = `/api/memberships/${membership}/`;
  const correct = async (by: Client, edit: object) => {
    const { status, body } = await by.patch(path, edit);
    expect(status).toBe(200);
    return [body.crossing_date, body.crossing_semester];
  };
  const before = (await stage.admin.get(path)).body;
  expect([before.crossing_date, before.crossing_semester]).toEqual(['2025-03-01', 'Spring 2025']);
  expect(await correct(stage.admin, { crossing_date: '2024-11-30' })).toEqual(['2024-11-30', 'Fall 2024']);
  expect(await correct(stage.admin, { crossing_date: '2024-07-31' })).toEqual(['2024-07-31', 'Summer 2024']);
  const entries = await asOwner(
    `SELECT before, after FROM ${AUDIT_LOG} WHERE subject_id = $1 AND after ? 'crossing_semester' ORDER BY id`,
    [membership],
  );
  expect(entries.at(-1)).toEqual({
    before: { crossing_date: '2024-11-30', crossing_semester: 'Fall 2024' },
    after: { crossing_date: '2024-07-31', crossing_semester: 'Summer 2024' },
  });
  const typed = { crossing_date: '2024-05-31', crossing_semester: 'Winter 24' };
  expect(await correct(stage.officer, typed)).toEqual(Object.values(typed));
  expect(await correct(stage.officer, { crossing_date: '2025-03-01' })).toEqual(['2025-03-01', 'Winter 24']);
  expect((await stage.member.patch(path, { crossing_date: '2025-03-02' })).status).toBe(403);
});

test('another organization does not find a prospect', async () => {
  const { id } = await add();
  const theirs = stage.as(stage.other.admin);
  await expectNowhere(id, (unknown) => theirs.get(one(unknown)));
  await expectNowhere(id, (unknown) => theirs.post(one(unknown, 'transition'), { to: 'approved' }));
});

test('a queue of any length is read with one message to the database', async () => {
  for (const path of [inChapter(), `/api/organizations/${world.organizationId}/pnm/`]) {
    expect(await countStatements(() => stage.admin.get(`${path}?page_size=1`))).toBe(1);
    expect(await countStatements(() => stage.admin.get(`${path}?page_size=100`))).toBe(1);
  }
});
