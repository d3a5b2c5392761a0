/** A payment whose provider does not answer, for so long that it is stuck. */
import { eventually, type Platform } from '../support/platform.js';
import { anInvoice, type World } from '../support/world.js';

export async function aStuckPayment(
  platform: Platform,
  world: World,
): Promise<{ remittance: string; id: string; paying: Promise<unknown> }> {
  const [admin, officer] = [platform.client(world.admin), platform.client(world.officer)];
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  const { id: remittance } = (await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations }))
    .body;
  await platform.fault({ kind: 'drop_before_capture', times: 1_000, remittance_id: remittance });
  const paying = officer
    .post(`/api/billing/remittances/${remittance}/pay/`, { payment_method: 'pm_card_visa' })
    .catch(() => undefined);
  const { results } = await eventually(
    async () => (await admin.get(`/api/processes/?subject=${remittance}&stuck=true`)).body,
    ({ count }) => count > 0,
    60,
  );
  return { remittance, id: results[0].id, paying };
}
