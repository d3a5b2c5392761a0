import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { asOwner } from '../../support/owner.js';
import { aProcessor } from '../../support/platform.js';

const { world, other, as } = apiWorld();
let foundation: Foundation;
let theirs: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  theirs = await aFoundation(other);
});

/** A difference that a comparison with the provider's records found. */
async function aCase(processor: string): Promise<string> {
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO money_cases (organization_id, processor_id, kind, gateway_object, amount_cents, recorded_cents, reported_cents, moved_at)
     SELECT organization_id, id, 'amount_differs', 'pi_' || uuidv7(), 100, 0, 100, now() FROM org_payment_processors WHERE id = $1 RETURNING id`,
    [processor],
  );
  return row?.id as string;
}

const OWN = '/api/foundation/money-cases/';
const decision = { resolution: 'accepted', note: 'The provider corrected it.' };
const idsIn = (body: { results: { id: string }[] }) => body.results.map(({ id }) => id);

test('admins of the foundation see and resolve the cases of its account, and those of the organization only their own', async () => {
  const [gift, due] = [await aCase(foundation.processorId), await aCase(await aProcessor(world))];
  const dues = `/api/organizations/${world.organizationId}/money-cases/`;
  expect(idsIn((await as(foundation.admin).get(`${OWN}?status=open&kind=amount_differs`)).body)).toEqual([gift]);
  expect(idsIn((await as(world.admin).get(dues)).body)).toEqual([due]);
  for (const person of [foundation.editor, world.admin]) expect((await as(person).get(OWN)).status).toBe(403);
  expect((await as(world.admin).get(`${dues}${gift}/`)).status).toBe(404);
  expect((await as(world.admin).post(`${dues}${gift}/resolve/`, decision)).status).toBe(404);
  expect((await as(foundation.admin).post(`${OWN}${due}/resolve/`, decision)).status).toBe(404);
  expect(await as(foundation.admin).post(`${OWN}${gift}/resolve/`, decision)).toMatchObject({
    status: 200,
    body: { id: gift, status: 'closed', resolution: 'accepted', closed_by: foundation.admin.userId },
  });
  expect(await as(foundation.admin).post(`${OWN}${gift}/resolve/`, decision)).toMatchObject({
    status: 409,
    body: { code: 'case_closed' },
  });
  expect(idsIn((await as(foundation.admin).get(`${OWN}?status=open`)).body)).toEqual([]);
  const foreign = await aCase(theirs.processorId);
  await expectNowhere(foreign, (id) => as(foundation.admin).post(`${OWN}${id}/resolve/`, decision));
});
