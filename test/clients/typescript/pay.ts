/** Pays a remittance with the package of the TypeScript client, which is installed from its tarball. */
import { createClient, type Result, type Tokens } from 'chapter-membership-client';

const { BASE_URL: baseUrl = '', EMAIL: email = '', PASSWORD: password = '', CHAPTER: chapter = '' } = process.env;

let tokens: Tokens | null = null;
const session = { load: () => tokens, save: (saved: Tokens | null) => void (tokens = saved) };
const client = createClient({ baseUrl, session });

function dataOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.data;
}

dataOf(await client.POST('/api/auth/login/', { body: { email, password } }));
const invoices = dataOf(
  await client.GET('/api/chapters/{id}/invoices/', {
    params: { path: { id: chapter }, query: { status: 'open', payer_type: 'member', page_size: 2 } },
  }),
);
const allocations = invoices.results.map(({ id }) => ({ invoice: id, amount_cents: 100 }));
const draft = dataOf(await client.POST('/api/billing/remittances/', { body: { chapter, allocations } }));
const paid = dataOf(
  await client.POST('/api/billing/remittances/{id}/pay/', {
    params: { path: { id: draft.id } },
    body: { payment_method: 'pm_card_visa' },
  }),
);
if (paid?.status !== 'settled') throw new Error(`The remittance is ${paid?.status}.`);
console.log(`chapter-membership-client: remittance ${paid.id} is ${paid.status}.`);
