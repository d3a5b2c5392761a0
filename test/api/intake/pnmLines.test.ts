/** Bulk transitions of prospects, and lines that cross as previewed. */
import { carryOver } from '../../../models/intake/crossings/crossingSteps.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember } from '../../support/world.js';

const stage = apiWorld();
const { world } = stage;
const CROSSED_AT = '2025-03-01T12:00:00.000Z';

interface Prospect {
  pnm: string;
  membershipId: string;
  userId: string;
}

/** Prospects who have an account. */
async function prospects(count: number, at = 'in_progress', chapter = world.chapterId): Promise<Prospect[]> {
  const people: Prospect[] = [];
  for (let n = 0; n < count; n += 1) {
    const { membershipId, userId } = await aMember(world.organizationId, chapter, 'member', 'pnm');
    const [profile] = await asOwner<{ id: string }>(
      `UPDATE pnm_profiles SET stage = $2, birth_date = '2005-04-12' WHERE membership_id = $1 RETURNING id`,
      [membershipId, at],
    );
    people.push({ pnm: profile?.id as string, membershipId, userId });
  }
  return people;
}
const idsOf = (people: Prospect[]) => people.map(({ pnm }) => pnm);

const line = (pnm_ids: string[], more: object, by = stage.officer) =>
  by.post(`/api/chapters/${world.chapterId}/pnm/cross/`, { pnm_ids, crossed_at: CROSSED_AT, ...more });
const preview = async (ids: string[], more: object = {}) => (await line(ids, { dry_run: true, ...more })).body;
const crossingsOf = (people: Prospect[]) =>
  asOwner<{ id: string; membership_id: string; dispatches: number }>(
    `SELECT c.id, c.membership_id, (SELECT count(*)::int FROM outbox WHERE workflow_id = 'crossing/' || c.id) AS dispatches
       FROM crossings c WHERE c.membership_id = ANY ($1) AND c.reverted_at IS NULL ORDER BY c.membership_id`,
    [people.map(({ membershipId }) => membershipId)],
  );
const stagesOf = async (people: Prospect[]) =>
  (
    await asOwner<{ seen: string }>(
      `SELECT p.stage || ' ' || m.status AS seen FROM pnm_profiles p JOIN memberships m ON m.id = p.membership_id
        WHERE p.id = ANY ($1) ORDER BY m.id`,
      [idsOf(people)],
    )
  ).map(({ seen }) => seen);
const refusal = (code: string) => ({ code, detail: expect.any(String) });

test('a bulk transition moves each prospect of the chapter on its own and reports the others', async () => {
  const bulk = (ids: string[], body: object, by = stage.officer) =>
    by.post(`/api/chapters/${world.chapterId}/pnm/bulk-transition/`, { ids, ...body });
  const [ready, early, elsewhere] = [
    ...idsOf([...(await prospects(1, 'approved')), ...(await prospects(1, 'not_started'))]),
    ...idsOf(await prospects(1, 'approved', world.otherChapterId)),
  ] as [string, string, string];
  const error = (code: string) => ({ stage: null, error: { ...refusal(code), errors: expect.any(Object) } });
  expect((await bulk([elsewhere, ready, early, ready], { to: 'in_progress' })).body).toEqual([
    { id: elsewhere, ...error('not_found') },
    { id: ready, stage: 'in_progress', error: null },
    { id: early, ...error('transition_not_allowed') },
  ]);
  expect((await bulk([ready], { to: 'rejected' })).body).toEqual([{ id: ready, ...error('validation_error') }]);
  expect((await bulk([ready, early], { to: 'completed', crossed_at: CROSSED_AT })).body).toEqual([
    { id: ready, stage: 'completed', error: null },
    { id: early, ...error('transition_not_allowed') },
  ]);
  const { body } = await stage.officer.get(`/api/pnm/${ready}/crossing/`);
  expect(body).toMatchObject({ crossed_at: CROSSED_AT, status: 'carrying' });
  expect((await bulk([early], { to: 'approved', crossed_at: CROSSED_AT })).body.errors).toHaveProperty('crossed_at');
  expect((await bulk([early], { to: 'withdrawn', reason: 'x' }, stage.member)).status).toBe(403);
  expect(
    (
      await bulk(
        Array.from({ length: 201 }, () => early),
        { to: 'approved' },
      )
    ).body.errors,
  ).toHaveProperty('ids');
});

test('a line crosses exactly as previewed, with its numbers, carried fields and refused members', async () => {
  const [first, second, early] = [...(await prospects(2)), ...(await prospects(1, 'approved'))] as [
    Prospect,
    Prospect,
    Prospect,
  ];
  await asOwner(`UPDATE member_profiles SET date_of_birth = '2004-01-01' WHERE user_id = $1`, [second.userId]);
  const ids = idsOf([second, early, first]);
  const line_numbers = [
    { pnm: first.pnm, line_number: 1 },
    { pnm: second.pnm, line_number: 2 },
  ];
  const { members, preview_hash, totals } = await preview(ids, { line_numbers });
  expect(totals).toEqual({ crossing: 2, refused: 1, invited: 0 });
  expect(members).toMatchObject([
    { pnm: second.pnm, line_number: 2, told_by: 'notification', error: null },
    { pnm: early.pnm, line_number: null, told_by: null, fields: [], error: refusal('transition_not_allowed') },
    { pnm: first.pnm, line_number: 1, error: null },
  ]);
  expect(members[0].fields).toContainEqual({ field: 'date_of_birth', fate: 'kept_member_value' });
  expect(members[2].fields).toContainEqual({ field: 'date_of_birth', fate: 'copied' });
  expect(JSON.stringify(members)).not.toContain('2005-04-12');
  const { status, body } = await line(ids, { line_numbers, preview_hash });
  const crossings = await crossingsOf([first, second, early]);
  expect([status, crossings.map(({ dispatches }) => dispatches)]).toEqual([202, [1, 1]]);
  expect(body.crossed).toEqual([
    { pnm: second.pnm, membership: second.membershipId, crossing: crossings[1]?.id, line_number: 2 },
    { pnm: first.pnm, membership: first.membershipId, crossing: crossings[0]?.id, line_number: 1 },
  ]);
  expect(await stagesOf([first, second, early])).toEqual([
    'completed undergrad',
    'completed undergrad',
    'approved pnm',
  ]);
  await inTenant(world.organizationId, () => carryOver(crossings[0]?.id as string));
  const { fields } = (await stage.officer.get(`/api/pnm/${first.pnm}/crossing/`)).body;
  // The result is what the preview said.
  expect(fields).toEqual(expect.arrayContaining(members[2].fields));
  const history = (await stage.officer.get(`/api/memberships/${first.membershipId}/history/`)).body.results;
  expect(history[0]).toMatchObject({ source: 'crossing', status: 'undergrad', actor: world.officer.userId });
  expect(await asOwner('SELECT notification_type FROM notifications WHERE recipient_id = $1', [first.userId])).toEqual([
    { notification_type: 'membership_changed' },
  ]);
  const logged = await asOwner('SELECT action FROM audit_log WHERE subject_id = ANY ($1)', [
    [first.pnm, first.membershipId],
  ]);
  expect(logged).toEqual(expect.arrayContaining([{ action: 'pnm_profile.updated' }, { action: 'membership.updated' }]));
});

test('the preview of a line invites a prospect without an account once a day and lets account fields wait', async () => {
  const email = 'line.placeholder@example.org';
  const contents = { email, first_name: 'Pia', last_name: 'Placeholder', phone_number: '+1 555 0100' };
  const { id } = (await stage.officer.post(`/api/chapters/${world.chapterId}/pnm/`, contents)).body;
  await asOwner(`UPDATE pnm_profiles SET stage = 'in_progress' WHERE id = $1`, [id]);
  const [member] = (await preview([id])).members;
  expect(member).toMatchObject({ email, told_by: null });
  expect(member.fields).toContainEqual({ field: 'phone_number', fate: 'awaits_account' });
  await asOwner(`UPDATE invitation_mails SET mailed_at = now() - interval '25 hours' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  expect(await preview([id])).toMatchObject({ totals: { invited: 1 }, members: [{ told_by: 'invitation' }] });
});

test('any change since the preview makes it stale, and no prospect crosses', async () => {
  const [one, other] = (await prospects(2)) as [Prospect, Prospect];
  const changes = [
    () => stage.officer.patch(`/api/pnm/${one.pnm}/`, { phone_number: '+1 555 0100' }),
    () => stage.officer.patch(`/api/memberships/${one.membershipId}/`, { pledge_class: 'Beta' }),
    () => asOwner(`UPDATE member_profiles SET date_of_birth = '2004-01-01' WHERE user_id = $1`, [one.userId]),
    () => asOwner(`UPDATE users SET email = 'moved.' || email WHERE id = $1`, [one.userId]),
    () => stage.officer.post(`/api/pnm/${one.pnm}/transition/`, { to: 'withdrawn', reason: 'Called us.' }),
  ];
  const ids = idsOf([one, other]);
  for (const change of changes) {
    const { preview_hash } = await preview(ids);
    await change();
    expect((await line(ids, { preview_hash })).body.code).toBe('preview_stale');
  }
  const { preview_hash } = await preview(ids);
  expect((await line(ids, { preview_hash, crossed_at: '2025-03-02T12:00:00.000Z' })).body.code).toBe('preview_stale');
  expect((await line(ids, { preview_hash, membership_status: 'associate' })).body.code).toBe('preview_stale');
  expect(await crossingsOf([one, other])).toEqual([]);
});

test('line numbers are unique within a line, and a line has only prospects of its chapter', async () => {
  const people = await prospects(3);
  const [one, two, three] = people as [Prospect, Prospect, Prospect];
  const ids = idsOf(people);
  const errorsOf = async (line_numbers: object[], pnm_ids = ids) => (await preview(pnm_ids, { line_numbers })).errors;
  const number = (pnm: string, line_number: number) => ({ pnm, line_number });
  expect(await errorsOf([number(one.pnm, 1), number(two.pnm, 1)])).toHaveProperty(['line_numbers.1.line_number']);
  expect(await errorsOf([number(one.pnm, 1), number(one.pnm, 2)])).toHaveProperty(['line_numbers.1.pnm']);
  expect(await errorsOf([number(three.pnm, 1)], [one.pnm])).toHaveProperty(['line_numbers.0.pnm']);
  // Line number 7 goes to another prospect of the line, so the one who has it is refused.
  await asOwner('UPDATE memberships SET line_number = 7 WHERE id = $1', [two.membershipId]);
  const { members } = await preview(ids, { line_numbers: [number(one.pnm, 7)] });
  expect(members.map(({ error }: { error: { code: string } | null }) => error?.code)).toEqual([
    undefined,
    'line_number_taken',
    undefined,
  ]);
  const [elsewhere] = await prospects(1, 'in_progress', world.otherChapterId);
  const foreign = [...ids, elsewhere?.pnm as string];
  const { errors } = await preview(foreign);
  expect(errors).toEqual({ pnm_ids: [`These people are not in the intake of this chapter: ${elsewhere?.pnm}.`] });
  const { preview_hash } = await preview(ids);
  expect((await line([elsewhere?.pnm as string], { preview_hash })).body.code).toBe('preview_stale');
  expect((await line(ids, { dry_run: true, crossed_at: '2125-01-01T00:00:00.000Z' })).body.errors).toHaveProperty(
    'crossed_at',
  );
  const early = idsOf(await prospects(1, 'approved'));
  const emptyPreview = await preview(early);
  expect((await line(early, { preview_hash: emptyPreview.preview_hash })).body.code).toBe('nobody_to_cross');
  expect((await line(ids, { preview_hash }, stage.member)).status).toBe(403);
  expect(await crossingsOf(people)).toEqual([]);
});

test('of ten concurrent crossings of a line one succeeds, and one of its crossings can be reverted alone', async () => {
  const people = await prospects(4);
  const ids = idsOf(people);
  const { preview_hash } = await preview(ids);
  const answers = await Promise.all(Array.from({ length: 10 }, () => line(ids, { preview_hash })));
  expect(answers.map(({ body }): string => body.code ?? 'crossed').toSorted()).toEqual([
    'crossed',
    ...Array.from({ length: 9 }, () => 'preview_stale'),
  ]);
  const crossings = await crossingsOf(people);
  expect(crossings.map(({ dispatches }) => dispatches)).toEqual([1, 1, 1, 1]);
  expect((await stage.admin.post(`/api/crossings/${crossings[1]?.id}/revert/`, {})).body.status).toBe('reverted');
  expect(await stagesOf(people)).toEqual([
    'completed undergrad',
    'in_progress pnm',
    'completed undergrad',
    'completed undergrad',
  ]);
  const again = await preview(ids);
  expect(again.totals).toMatchObject({ crossing: 1, refused: 3 });
  expect((await line(ids, { preview_hash: again.preview_hash })).body.crossed).toMatchObject([{ pnm: people[1]?.pnm }]);
});

test('a line, a transition, a bulk transition and a name approval at the same time let each prospect cross once', async () => {
  const people = await prospects(3);
  const ids = idsOf(people);
  const named = await stage.officer.post(`/api/pnm/${ids[0]}/name-assignments/`, { name: 'At Once' });
  const { preview_hash } = await preview(ids);
  const answers = await Promise.all([
    stage.admin.post(`/api/name-assignments/${named.body.id}/review/`, { decision: 'approve' }),
    stage.officer.post(`/api/pnm/${ids[0]}/transition/`, { to: 'completed' }),
    stage.officer.post(`/api/chapters/${world.chapterId}/pnm/bulk-transition/`, { ids, to: 'completed' }),
    line(ids, { preview_hash }),
  ]);
  expect(answers.map(({ status }) => status).filter((status) => ![200, 202, 409].includes(status))).toEqual([]);
  expect(answers[0]?.status).toBe(200);
  expect((await crossingsOf(people)).map(({ dispatches }) => dispatches)).toEqual([1, 1, 1]);
});

test('a line of sixty crosses with at most eight database messages per prospect', async () => {
  const people = await prospects(60);
  const ids = idsOf(people);
  const few = await preview(ids.slice(0, 2));
  expect(await countStatements(() => preview(ids))).toBe(await countStatements(() => preview(ids.slice(0, 2))));
  expect(few.totals).toMatchObject({ crossing: 2 });
  const { preview_hash } = await preview(ids);
  const steps = await countStatements(async () => {
    expect((await line(ids, { preview_hash })).status).toBe(202);
    for (const { id } of await crossingsOf(people))
      expect(await inTenant(world.organizationId, () => carryOver(id))).toMatchObject({ step: 'welcomed' });
  });
  expect(steps).toBeLessThanOrEqual(8 * people.length);
});
