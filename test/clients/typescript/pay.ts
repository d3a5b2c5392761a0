/** Pays a remittance with types that openapi-typescript made of the description. */
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const { BASE_URL: baseUrl = '', EMAIL: email = '', PASSWORD: password = '', CHAPTER: chapter = '' } = process.env;
const client = createClient<paths>({ baseUrl });

function taken<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

const signedIn = taken(
  await client.POST('/api/auth/login/', {
    params: { header: { 'X-Client': 'native' } },
    body: { email, password },
  }),
);
client.use({
  onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${signedIn.access_token}`),
});

const invoices = taken(
  await client.GET('/api/chapters/{id}/invoices/', {
    params: { path: { id: chapter }, query: { status: 'open', payer_type: 'member', page_size: 2 } },
  }),
);
const draft = taken(
  await client.POST('/api/billing/remittances/', {
    body: {
      chapter,
      allocations: invoices.results.map((invoice) => ({ invoice: invoice.id, amount_cents: 100 })),
    },
  }),
);
const paid = taken(
  await client.POST('/api/billing/remittances/{id}/pay/', {
    params: { path: { id: draft.id } },
    body: { payment_method: 'pm_card_visa' },
  }),
);
if (paid.status !== 'settled') throw new Error(`The remittance is ${paid.status}.`);
console.log(`openapi-typescript: remittance ${paid.id} is ${paid.status}.`);
