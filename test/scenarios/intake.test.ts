/** The processes of the intake: a crossing copies the application to the member's records, and undecided prospects follow their period. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { settleApplicants, stopSettling } from '../../activities/intake/recruitmentPeriods.js';
import { carryAnswers, welcomeMember } from '../../activities/intake/crossings.js';
import { temporal } from '../../gateways/temporal/client.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { aMember } from '../support/world.js';

const stage = apiWorld();
queueWorkers(['core', 'bulk', 'notify'], { relay: true });
const { world } = stage;

const answers = {
  expected_graduation_semester: 'Fall',
  expected_graduation_year: 2026,
  birth_date: '2005-04-12',
  phone_number: '+1 555 0100',
};

test('a crossing changes the status at once, copies the records soon after, and reports what became of each field', async () => {
  const known = await aMember(world.organizationId, world.otherChapterId, 'member', 'inactive');
  const made = await stage.officer.post(`/api/chapters/${world.chapterId}/pnm/`, {
    email: known.email,
    first_name: 'Pia',
    last_name: 'Prospect',
    ...answers,
  });
  const { id, membership } = made.body;
  for (const to of ['approved', 'in_progress', 'completed'])
    expect((await stage.officer.post(`/api/pnm/${id}/transition/`, { to })).status).toBe(200);
  expect((await stage.as(known).get('/api/auth/me/')).status).toBe(200);
  const crossing = await eventually(
    async () => (await stage.officer.get(`/api/pnm/${id}/crossing/`)).body,
    ({ status }) => status === 'completed',
  );
  expect(
    Object.fromEntries(crossing.fields.map(({ field, fate }: { field: string; fate: string }) => [field, fate])),
  ).toMatchObject({
    graduation: 'copied',
    date_of_birth: 'copied',
    phone_number: 'copied',
    permanent_address_line1: 'source_empty',
  });
  // A member who graduates in the fall of 2026 does so in the academic year that ends in 2027.
  expect((await stage.officer.get(`/api/memberships/${membership}/`)).body).toMatchObject({
    graduation_season: 'FALL',
    graduation_year: 2027,
  });
  expect((await listProcesses(stage.admin, `subject=${crossing.id}`)).results).toMatchObject([
    { kind: 'crossing', subject: { type: 'crossing', id: crossing.id } },
  ]);
  await temporal().workflow.getHandle(crossing.workflow_id).result();
  await recordHistory(crossing.workflow_id, 'cross-carries-at-once');
});

test('each step of a crossing has no further effect when it runs twice', async () => {
  const { userId, membershipId } = await aMember(world.organizationId, world.otherChapterId, 'member', 'pnm');
  await asOwner(`UPDATE pnm_profiles SET birth_date = '2005-04-12' WHERE membership_id = $1`, [membershipId]);
  await asOwner(`UPDATE memberships SET status = 'undergrad' WHERE id = $1`, [membershipId]);
  const [crossing] = await asOwner<{ id: string }>('SELECT id FROM crossings WHERE membership_id = $1', [membershipId]);
  const input = { organizationId: world.organizationId, crossingId: crossing?.id as string };
  const readCrossing = () =>
    asOwner(
      'SELECT c.*, p.date_of_birth, p.version FROM crossings c, member_profiles p WHERE c.id = $1 AND p.user_id = $2',
      [input.crossingId, userId],
    );
  const runBoth = async () => {
    await new MockActivityEnvironment().run(carryAnswers, input);
    await new MockActivityEnvironment().run(welcomeMember, input);
  };
  await runBoth();
  const once = await readCrossing();
  await runBoth();
  expect(await readCrossing()).toEqual(once);
});

test('undecided prospects are closed with their period as previewed, and return when it is opened again', async () => {
  const made = await stage.admin.post(`/api/organizations/${world.organizationId}/recruitment-periods/`, {
    term: world.termId,
    name: 'Fall intake',
    opens_at: '2020-01-01T00:00:00.000Z',
    closes_at: '2040-01-01T00:00:00.000Z',
  });
  const period = (rest = '') => `/api/recruitment-periods/${made.body.id}/${rest && `${rest}/`}`;
  const turn = async (rest: string, body: object = {}) => (await stage.admin.post(period(rest), body)).body;
  const settled = () =>
    eventually(
      async () => (await stage.admin.get(period())).body,
      ({ is_settled }) => is_settled === true,
    );
  expect((await turn('activate')).is_open).toBe(true);
  const add = async (...stages: string[]) => {
    const person = await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
    const [profile] = await asOwner<{ id: string }>('SELECT id FROM pnm_profiles WHERE membership_id = $1', [
      person.membershipId,
    ]);
    for (const to of stages)
      await stage.officer.post(`/api/pnm/${profile?.id}/transition/`, { to, reason: 'Said so.' });
    return profile?.id as string;
  };
  const [fresh, approved, refused] = [await add(), await add('approved'), await add('rejected')];
  const readState = async () =>
    Promise.all([fresh, approved, refused].map(async (id) => (await stage.admin.get(`/api/pnm/${id}/`)).body)).then(
      (all) => all.map(({ stage: at, status }) => `${at} ${status}`),
    );
  const { preview_hash, totals, undecided } = await turn('close', { dry_run: true });
  expect([totals, undecided.map(({ pnm }: { pnm: string }) => pnm)]).toEqual([
    { undecided: 2, told: 2 },
    [fresh, approved],
  ]);
  expect((await turn('close', { preview_hash: '0'.repeat(64) })).code).toBe('preview_stale');
  expect(await turn('close', { preview_hash })).toMatchObject({ status: 'closed', is_open: false });
  await settled();
  expect(await readState()).toEqual(['rejected inactive', 'rejected inactive', 'rejected inactive']);
  await recordHistory(`recruitment-close/${made.body.id}/1`, 'recruitmentTurn-closes');
  expect((await stage.admin.post(`/api/pnm/${fresh}/transition/`, { to: 'not_started' })).body.code).toBe(
    'transition_not_allowed',
  );
  await turn('reopen', { reason: 'Too early.' });
  await settled();
  expect(await readState()).toEqual(['not_started pnm', 'approved pnm', 'rejected inactive']);
  const input = { organizationId: world.organizationId, periodId: made.body.id, turn: '2' };
  for (let times = 0; times < 2; times += 1) {
    expect(await new MockActivityEnvironment().run(settleApplicants, input)).toBe(false);
    await stopSettling(input);
  }
  expect(await readState()).toEqual(['not_started pnm', 'approved pnm', 'rejected inactive']);
});

test('a chapter that was suspended in the meantime does not keep prospects of other chapters from returning', async () => {
  const { organizationId, chapterId, otherChapterId } = world;
  const [period] = (await stage.admin.get(`/api/organizations/${organizationId}/recruitment-periods/?status=active`))
    .body.results;
  const at = (rest = '') => `/api/recruitment-periods/${period.id}/${rest && `${rest}/`}`;
  const people = [
    await aMember(organizationId, otherChapterId, 'member', 'pnm'),
    await aMember(organizationId, chapterId, 'member', 'pnm'),
  ];
  const statuses = () =>
    Promise.all(
      people.map(async ({ membershipId }) => {
        const [row] = await asOwner<{ status: string }>('SELECT status FROM memberships WHERE id = $1', [membershipId]);
        return row?.status;
      }),
    );
  const turned = async (rest: string, body: object) => {
    expect((await stage.admin.post(at(rest), body)).status).toBe(202);
    await eventually(
      async () => (await stage.admin.get(at())).body,
      ({ is_settled }) => is_settled === true,
    );
  };
  const become = (status: string) =>
    stage.admin.patch(`/api/chapters/${otherChapterId}/`, { status, reason: 'Decided by the council' });
  const { preview_hash } = (await stage.admin.post(at('close'), { dry_run: true })).body;
  await turned('close', { preview_hash });
  expect((await become('suspended')).status).toBe(200);
  await turned('reopen', { reason: 'Too early.' });
  expect(await statuses()).toEqual(['inactive', 'pnm']);
  expect((await become('active')).status).toBe(200);
});

test('an application that needs no proof counts, and is withdrawn, each by a process of its own', async () => {
  const { organizationId: organization, slug, chapterId: chapter } = world;
  await stage.admin.put(`/api/organizations/${organization}/pnm-config/`, { verify_email: false });
  const form = `/api/pnm/public/${slug}/applications/`;
  const applicantFields = { email: 'stranger@example.org', first_name: 'A', last_name: 'Stranger', chapter };
  const { token } = (await stage.nobody.post(form, applicantFields)).body;
  const settled = () =>
    eventually(
      () =>
        asOwner<{ id: string; wants: string | null; stage: string | null }>(
          `SELECT v.id, v.wants, p.stage FROM pnm_application_versions v JOIN pnm_applications a ON a.id = v.application_id
             LEFT JOIN pnm_profiles p ON p.id = a.profile_id WHERE a.email = $1`,
          [applicantFields.email],
        ),
      ([found]) => found?.wants === null,
    );
  const [version] = await settled();
  expect(version).toMatchObject({ stage: 'not_started' });
  const process = `application/${version?.id}/counted`;
  expect(await temporal().workflow.getHandle(process).result()).toBe('settled');
  await recordHistory(process, 'settleApplication-counts');
  expect((await stage.nobody.post(`${form}${token}/withdraw/`, {})).status).toBe(204);
  expect(await settled()).toMatchObject([{ stage: 'withdrawn' }]);
});

test('the process of a reference letter requests it, and ends when the letter is no longer needed', async () => {
  const prospect = await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
  const [{ id } = { id: '' }] = await asOwner<{ id: string }>('SELECT id FROM pnm_profiles WHERE membership_id = $1', [
    prospect.membershipId,
  ]);
  const ask = (name: string) =>
    stage.officer.post(`/api/pnm/${id}/reference-letters/`, { name, email: `${name}-${id}@example.org` });
  const [one, other] = [(await ask('one')).body, (await ask('other')).body];
  const process = async (letter: string) =>
    (await stage.admin.get(`/api/processes/?subject=${letter}`)).body.results[0];
  for (const letter of [one, other])
    await eventually(
      async () => (await stage.officer.get(`/api/pnm/${id}/reference-letters/`)).body.results,
      (letters: { id: string; asked_at: string | null }[]) =>
        letters.some((l) => l.id === letter.id && l.asked_at !== null),
    );
  expect((await stage.officer.post(`/api/reference-letters/${one.id}/cancel/`)).status).toBe(200);
  expect(await temporal().workflow.getHandle(`reference-letter/${one.id}`).result()).toBe('cancelled');
  await recordHistory(`reference-letter/${one.id}`, 'referenceLetter-not-needed');
  const { id: waiting } = await eventually(
    () => process(other.id),
    (found) => found?.status === 'running',
  );
  expect((await stage.admin.post(`/api/processes/${waiting}/cancel/`)).status).toBeLessThan(300);
  await eventually(
    async () => (await stage.officer.get(`/api/pnm/${id}/reference-letters/`)).body.results,
    (letters: { id: string; status: string }[]) => letters.every(({ status }) => status === 'cancelled'),
  );
});
