/** Payments whose worker is killed. */
import { encrypt } from '../../models/database/encryption.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually, type Platform } from '../support/platform.js';
import type { WorkerDeath } from '../support/workerDies.js';
import { anInvoice, type World } from '../support/world.js';

interface Stage {
  platform: Platform;
  world: World;
}

/** In this order: the second case adds to the processor of the first. */
export function killedPayments({ platform, world }: Stage): WorkerDeath[] {
  let processor: string;

  /** Lets the gateway answer again, and waits for the request that it held. */
  const release = async (pendingRequest: Promise<unknown>) => {
    await platform.clearFaults();
    await pendingRequest;
  };

  return [
    {
      name: 'a payment whose worker is killed between capture and settlement is charged once, and the next worker settles it',
      async begin() {
        processor = await aProcessor(world);
        const officer = platform.client(world.officer);
        const invoices = await Promise.all(
          world.memberships.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId })),
        );
        const { body } = await officer.post('/api/billing/remittances/', {
          chapter: world.chapterId,
          allocations: invoices.map((invoice) => ({ invoice, amount_cents: 10_000 })),
        });
        await platform.fault({ kind: 'hold_after_capture', remittance_id: body.id });
        // Otherwise the provider's own event would settle it without a worker.
        await platform.fault({ kind: 'delay_events', delay_ms: 120_000, remittance_id: body.id });
        const paying = officer.post(`/api/billing/remittances/${body.id}/pay/`, { payment_method: 'pm_card_visa' });
        return {
          kills: [
            {
              when: () =>
                eventually(
                  () => platform.moved(body.id),
                  (ledger) => ledger.length === 1,
                  60,
                ),
              async meanwhile() {
                await platform.clearFaults();
                expect(await paying).toMatchObject({ status: 409, body: { code: 'remittance_in_progress' } });
              },
            },
          ],
          async after() {
            const settled = await eventually(
              async () => (await officer.get(`/api/billing/remittances/${body.id}/`)).body,
              ({ status }) => status === 'settled',
              60,
            );
            expect(settled.allocations.every(({ payment }: { payment: string | null }) => payment !== null)).toBe(true);
            expect(await platform.moved(body.id)).toHaveLength(1);
          },
        };
      },
    },
    {
      name: 'workers that are killed while they open and look up a page leave one page and one payment',
      async begin() {
        const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
        const click = () => platform.client(world.member).post(`/api/invoices/${invoice}/pay/`);
        // No event reports the payment: each event is refused.
        const column = 'webhook_secret_encrypted';
        await asOwner(`UPDATE org_payment_processors SET ${column} = $2 WHERE id = $1`, [
          processor,
          encrypt('whsec_mistyped', { table: 'org_payment_processors', column, rowId: processor }),
        ]);
        await platform.fault({ kind: 'hold_after_capture', operation: 'checkout' });
        let clicking = click();
        let attempt: string;
        return {
          kills: [
            { when: () => platform.held(), meanwhile: () => release(clicking) },
            {
              async when() {
                const { body: page } = await eventually(click, ({ status }) => status === 201, 60);
                attempt = page.attempt;
                // The look-up of the new page is over, and later ones wait at the gateway.
                const admin = platform.client(world.admin);
                const [{ id }] = (await admin.get(`/api/processes/?subject=${attempt}`)).body.results;
                await eventually(
                  async () => (await admin.get(`/api/processes/${id}/`)).body,
                  ({ waiting_for }) => waiting_for?.code === 'time',
                  60,
                );
                await platform.fault({ kind: 'hold_after_capture', operation: 'checkout_retrieve' });
                const form = new URLSearchParams({ payment_method: 'pm_card_visa' });
                await fetch(page.url, { method: 'POST', redirect: 'manual', body: form });
                clicking = click();
                await platform.held();
              },
              meanwhile: () => release(clicking),
            },
          ],
          async after() {
            await eventually(click, ({ body }) => body.code === 'invoice_not_payable', 60);
            expect(await asOwner('SELECT id, status FROM payment_attempts WHERE invoice_id = $1', [invoice])).toEqual([
              { id: attempt, status: 'succeeded' },
            ]);
            expect(
              await asOwner('SELECT amount_cents::int FROM processor_captures WHERE invoice_id = $1', [invoice]),
            ).toEqual([{ amount_cents: 10_000 }]);
          },
        };
      },
    },
  ];
}
