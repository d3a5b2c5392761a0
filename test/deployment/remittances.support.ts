/** Remittances that are drafted and paid through the proxy of a deployment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { temporal } from '../../gateways/temporal/client.js';
import { payRemittance } from '../../workflows/contracts/index.js';
import { Client, type Reply } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { anInvoice, type World } from '../support/world.js';
import type { Deployment } from './deployment.js';

export const pay = (client: Client, id: string): Promise<Reply<{ code?: string }>> =>
  client.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });

/** Repeats the request after Retry-After when the API is busy, as a client does. */
export async function payWhenServed(client: Client, id: string): Promise<Reply<{ code?: string }>> {
  for (;;) {
    const answer = await pay(client, id);
    if (answer.body.code !== 'busy') return answer;
    await sleep(1_000 * Number(answer.headers.get('retry-after')));
  }
}

/** Drafts and reads remittances of a world that has a processor. @param stage is read when a function is called */
export function remittancesOf(stage: () => { deployment: Deployment; world: World }) {
  const officer = () => new Client(stage().deployment.proxy.url, { token: stage().world.officer.token });

  async function aDraft(): Promise<string> {
    const { world } = stage();
    const invoices = await Promise.all(
      world.memberships.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId })),
    );
    const { status, body } = await officer().post('/api/billing/remittances/', {
      chapter: world.chapterId,
      allocations: invoices.map((invoice) => ({ invoice, amount_cents: 10_000 })),
    });
    expect(status).toBe(201);
    return body.id;
  }

  return {
    aDraft,
    drafts: (count: number) => Promise.all(Array.from({ length: count }, aDraft)),
    /** The number of charges that the gateway has made. */
    captures: async (id: string): Promise<number> => {
      const ledger = await (await fetch(`${stage().deployment.gateway.ledgerUrl}?remittance_id=${id}`)).json();
      return (ledger as unknown[]).length;
    },
    settled: (id: string) =>
      eventually(
        async () => (await officer().get(`/api/billing/remittances/${id}/`)).body.status as string,
        (status) => status === 'settled',
        60,
      ),
  };
}

/** The workers that carried out the steps of a payment. */
export async function workersOf(remittanceId: string): Promise<string[]> {
  const [attempt] = await asOwner<{ workflow_id: string }>(
    'SELECT workflow_id FROM outbox WHERE process = $1 AND workflow_id LIKE $2',
    [payRemittance.name, `%${remittanceId}%`],
  );
  const history = await temporal()
    .workflow.getHandle(attempt?.workflow_id ?? '')
    .fetchHistory();
  return (history.events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) =>
    started?.identity ? [started.identity] : [],
  );
}
