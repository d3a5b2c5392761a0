import { inTenant } from '../../../models/database/tenancy.js';
import { type ApplyingTo, organizationOfForm } from '../../../models/intake/pnm-applications/publicForm.js';
import { ownTransaction } from '../../http/dispatch.js';
import type { RequestFacts } from '../../http/routes.js';
import type { AcceptedScope } from '../../http/throttles/scopes.js';
import { spendAccepted } from '../../http/throttles/spend.js';

/** Reads in the tenant of an address's first part. */
export const reading = async <T>(slug: string, work: (to: ApplyingTo) => Promise<T>): Promise<T> => {
  const to = await organizationOfForm(slug);
  return inTenant(to.id, () => work(to), { readOnly: true });
};
/** Writes there, in a transaction of its own. */
export const writing = async <T>(
  slug: string,
  request: RequestFacts,
  work: (to: ApplyingTo) => Promise<T>,
): Promise<T> => {
  const to = await organizationOfForm(slug);
  return inTenant(to.id, () => work(to), ownTransaction(request));
};

/** As `writing`, and counts the form once it is accepted. @throws Refusal throttled */
export const accepting = (
  slug: string,
  request: RequestFacts,
  scope: AcceptedScope,
  work: (to: ApplyingTo) => Promise<unknown>,
): Promise<void> =>
  writing(slug, request, async (to) => {
    await work(to);
    await spendAccepted(request, scope);
  });
