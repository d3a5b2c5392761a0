/** Names are proposed by chapters and approved by the organization only; an approval lets the prospect cross. */
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const { world } = stage;
const list = (rest = '') => `/api/organizations/${world.organizationId}/name-assignments/${rest}`;
let n = 0;
/** A prospect who has passed these stages. */
async function prospect(...stages: string[]): Promise<string> {
  const email = `named${(n += 1)}@example.org`;
  const { id } = (
    await stage.officer.post(`/api/chapters/${world.chapterId}/pnm/`, {
      email,
      first_name: 'Nia',
      last_name: `Named ${n}`,
    })
  ).body;
  for (const to of stages) await stage.officer.post(`/api/pnm/${id}/transition/`, { to });
  return id;
}
const propose = (id: string, name: string, more: object = {}, by = stage.officer) =>
  by.post(`/api/pnm/${id}/name-assignments/`, { name, ...more });
const review = (id: string, body: object = { decision: 'approve' }, by = stage.admin) =>
  by.post(`/api/name-assignments/${id}/review/`, body);
const stageOf = async (id: string) => (await stage.officer.get(`/api/pnm/${id}/`)).body.stage;

test('an approved name lets the prospect cross once and notifies the officer who proposed it', async () => {
  const pnm = await prospect('approved');
  const { status, body } = await propose(pnm, 'Aurora');
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ pnm, name: 'Aurora', status: 'proposed', chapter: world.chapterId }),
  ]);
  expect((await propose(pnm, 'Borealis')).body.code).toBe('request_open');
  expect((await stage.admin.get(`/api/organizations/${world.organizationId}/approvals/`)).body).toContainEqual(
    expect.objectContaining({ kind: 'pnm_name', tier: 'organization' }),
  );
  expect((await review(body.id, undefined, stage.officer)).status).toBe(403);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => review(body.id, { decision: 'approve', membership_status: 'associate' })),
  );
  expect(answers.map(({ status: code }) => code).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 409),
  ]);
  expect(await stageOf(pnm)).toBe('completed');
  expect((await stage.officer.get(`/api/pnm/${pnm}/crossing/`)).body).toMatchObject({
    pnm,
    started_by: world.admin.userId,
  });
  expect(
    await asOwner(
      'SELECT recipient_id, notification_type, resolved_at IS NOT NULL AS resolved FROM notifications WHERE subject_id = $1 ORDER BY id',
      [body.id],
    ),
  ).toEqual([
    { recipient_id: world.admin.userId, notification_type: 'pnm_name_pending', resolved: true },
    { recipient_id: world.officer.userId, notification_type: 'pnm_name_decided', resolved: false },
  ]);
});

test('a prospect who has crossed gets only the name, and one who is not approved gets none', async () => {
  const early = await prospect();
  expect((await propose(early, 'Too Soon')).body.code).toBe('transition_not_allowed');
  const pnm = await prospect('approved', 'in_progress', 'completed');
  const { id } = (await propose(pnm, 'Later')).body;
  expect((await review(id)).body.status).toBe('approved');
  expect(await asOwner('SELECT FROM crossings WHERE profile_id = $1', [pnm])).toHaveLength(1);
});

test('a name that is used in the chapter is refused in any spelling unless the caller confirms it', async () => {
  const first = (await propose(await prospect('approved'), 'Élan Vital')).body.id;
  const second = await prospect('approved');
  const raced = (await propose(second, 'ELAN  vital')).body.id;
  expect((await review(first)).status).toBe(200);
  // The name was free when it was proposed and is taken when it is decided.
  expect((await review(raced)).body.code).toBe('name_taken');
  expect(await stageOf(second)).toBe('approved');
  const bulk = await stage.admin.post(list('bulk-review/'), { ids: [raced], decision: 'approve' });
  expect(bulk.body).toEqual([{ id: raced, status: null, error: expect.objectContaining({ code: 'name_taken' }) }]);
  expect((await review(raced, { decision: 'approve', confirm_taken: true })).status).toBe(200);
  const two = [await prospect('approved'), await prospect('approved')];
  const proposed = await Promise.all(two.map((pnm) => propose(pnm, 'Zenith')));
  const reviews = await Promise.all(proposed.map(({ body: { id } }) => review(id)));
  expect(new Set(reviews.map(({ status, body }) => body.code ?? status))).toEqual(new Set([200, 'name_taken']));
  const third = await prospect('approved');
  expect((await propose(third, 'elan-vital')).body.code).toBe('name_taken');
  expect((await propose(third, '…')).body.errors).toHaveProperty('name');
  expect((await propose(third, 'elan-vital', { confirm_taken: true })).status).toBe(201);
});

test('no admin decides on their own proposal, a rejection needs notes, and a proposal ends with its prospect', async () => {
  const pnm = await prospect('approved');
  const own = (await propose(pnm, 'Own', {}, stage.admin)).body.id;
  expect((await review(own)).body.code).toBe('own_request');
  expect((await stage.officer.post(`/api/name-assignments/${own}/withdraw/`)).status).toBe(403);
  expect((await stage.admin.post(`/api/name-assignments/${own}/withdraw/`)).body.status).toBe('withdrawn');
  const rejected = (await propose(pnm, 'Refused')).body.id;
  expect((await review(rejected, { decision: 'reject' })).body.errors).toHaveProperty('notes');
  expect((await review(rejected, { decision: 'reject', notes: 'Think again.' })).body).toMatchObject({
    status: 'rejected',
    review_notes: 'Think again.',
  });
  expect((await review(rejected)).body.code).toBe('request_closed');
  const waiting = (await propose(pnm, 'Waiting')).body.id;
  await stage.officer.post(`/api/pnm/${pnm}/transition/`, { to: 'rejected', reason: 'Left campus.' });
  expect((await review(waiting)).body.code).toBe('request_closed');
});

test('another organization does not find a proposal, and the list takes a fixed number of statements', async () => {
  const { id } = (await propose(await prospect('approved'), 'Hidden')).body;
  await expectNowhere(id, (unknown) => review(unknown, undefined, stage.as(stage.other.admin)));
  for (const size of [1, 100]) expect(await countStatements(() => stage.admin.get(list(`?page_size=${size}`)))).toBe(3);
});
