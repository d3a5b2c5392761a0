/** A member who owes an invoice in an organization with payment plans, and the requests about it. */
import { randomUUID } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { markInvoicesOverdue } from '../../../models/finances/overdue/markInvoicesOverdue.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { paidByHand } from '../../support/payments.js';
import { anInvoice, aWorld, type World } from '../../support/world.js';

export const stage = apiWorld();
const { as } = stage;
const RULES = readInvariants().filter(({ examines }) => /^(chapter_|payment_|invoice)/.test(examines));
afterEach(async () => {
  for (const { name, query } of RULES) expect({ name, rows: await asOwner(query) }).toEqual({ name, rows: [] });
});

export const ME = '/api/billing/me/plan-requests/';
export const OFFICER = '/api/billing/plan-requests/';
export const hq = ({ organizationId }: World, rest = '') => `/api/hq/dues/${organizationId}/plan-requests/${rest}`;
export const plans = ({ organizationId }: World, rest = '') => `/api/hq/dues/${organizationId}/payment-plans/${rest}`;
/** The local day of the organization that is this many days from today. */
export const day = async ({ organizationId }: World, ahead: number): Promise<string> =>
  (
    await asOwner<{ day: string }>(
      `SELECT to_char(app.local_day(timezone) + $2::int, 'YYYY-MM-DD') AS day FROM organizations WHERE id = $1`,
      [organizationId, ahead],
    )
  )[0]?.day as string;

export const settings = ({ organizationId }: World, set: Record<string, unknown>) =>
  asOwner(`INSERT INTO org_dues_settings (organization_id) VALUES ($1) ON CONFLICT DO NOTHING`, [organizationId]).then(
    () =>
      asOwner(
        `UPDATE org_dues_settings SET ${Object.keys(set)
          .map((name, n) => `${name} = $${n + 2}`)
          .join(', ')} WHERE organization_id = $1`,
        [organizationId, ...Object.values(set)],
      ),
  );

export interface Owing {
  world: World;
  invoice: string;
  /** The body of an ordinary request: three monthly installments, the first in three days. */
  body: { invoice: string; justification: string; installment_count: number; first_due_date: string; interval: string };
}

/** A member with one unpaid invoice, in an organization with payment plans enabled. */
export async function owing(
  cents = 9_001,
  { dueIn = 14, set = {} }: { dueIn?: number; set?: Record<string, unknown> } = {},
): Promise<Owing> {
  const world = await aWorld({ members: 2 });
  await settings(world, { payment_plans_enabled: true, ...set });
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents, dueIn });
  const first_due_date = await day(world, 3);
  const body = {
    invoice,
    justification: 'I am between two jobs.',
    installment_count: 3,
    first_due_date,
    interval: 'monthly',
  };
  return { world, invoice, body };
}
export const ask = ({ world, body }: Owing, more: object = {}) => as(world.member).post(ME, { ...body, ...more });
export const review = ({ world }: Owing, id: string, body: object = { decision: 'approve' }) =>
  as(world.admin).post(hq(world, `${id}/review/`), body);
export const read = async ({ world, invoice }: Owing) => (await as(world.admin).get(`/api/invoices/${invoice}/`)).body;
export const pay = ({ world, invoice }: Owing, amountCents: number, key = randomUUID()) =>
  paidByHand(world.organizationId, invoice, amountCents, key);
export const marked = ({ world }: Owing, on: string) => inTenant(world.organizationId, () => markInvoicesOverdue(on));
