/** Crossing, end to end: the process carries what was said to the member's records and welcomes whoever has not accepted. */
import { createWorkers } from '../../activities/worker.js';
import { carryAnswers, welcomeMember } from '../../activities/intake/crossings.js';
import { temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { aMember } from '../support/world.js';

const stage = apiWorld();
const { world } = stage;
let stop: () => Promise<void>;
beforeAll(async () => {
  await registerSearchAttributes();
  const workers = await createWorkers(['core']);
  const running = workers.run();
  stop = async () => {
    workers.shutdown();
    await running;
  };
}, 60_000);
afterAll(() => stop(), 60_000);

const answers = {
  expected_graduation_semester: 'Fall',
  expected_graduation_year: 2026,
  birth_date: '2005-04-12',
  phone_number: '+1 555 0100',
};

test('an evening’s crossing: status at once, records soon after, each field with its fate', async () => {
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
  expect((await stage.admin.get(`/api/processes/?subject=${crossing.id}`)).body.results).toMatchObject([
    { kind: 'crossing', subject: { type: 'crossing', id: crossing.id } },
  ]);
  await temporal().workflow.getHandle(crossing.workflow_id).result();
  await recordHistory(crossing.workflow_id, 'cross-carries');
}, 60_000);

test('each step run twice does what it does once', async () => {
  const { userId, membershipId } = await aMember(world.organizationId, world.otherChapterId, 'member', 'pnm');
  await asOwner(`UPDATE pnm_profiles SET birth_date = '2005-04-12' WHERE membership_id = $1`, [membershipId]);
  await asOwner(`UPDATE memberships SET status = 'undergrad' WHERE id = $1`, [membershipId]);
  const [crossing] = await asOwner<{ id: string }>('SELECT id FROM crossings WHERE membership_id = $1', [membershipId]);
  const input = { organizationId: world.organizationId, crossingId: crossing?.id as string };
  const seen = () =>
    asOwner(
      'SELECT c.*, p.date_of_birth, p.version FROM crossings c, member_profiles p WHERE c.id = $1 AND p.user_id = $2',
      [input.crossingId, userId],
    );
  await carryAnswers(input);
  await welcomeMember(input);
  const once = await seen();
  await carryAnswers(input);
  await welcomeMember(input);
  expect(await seen()).toEqual(once);
});
