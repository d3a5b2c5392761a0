import { inTenant } from '../../../models/database/tenancy.js';
import { type FormOrganization, organizationOfForm } from '../../../models/intake/pnm-applications/publicForm.js';
import { ownTransaction } from '../../http/dispatch.js';
import type { RequestFacts } from '../../http/routes.js';
import type { AcceptedScope } from '../../http/throttles/scopes.js';
import { spendAccepted } from '../../http/throttles/spend.js';

/** Runs `work` in a read-only transaction in the tenant of the slug. */
export const readInForm = async <T>(slug: string, work: (to: FormOrganization) => Promise<T>): Promise<T> => {
  const to = await organizationOfForm(slug);
  return inTenant(to.id, () => work(to), { readOnly: true });
};
/** Runs `work` in a transaction of its own in the tenant of the slug. */
export const writeInForm = async <T>(
  slug: string,
  request: RequestFacts,
  work: (to: FormOrganization) => Promise<T>,
): Promise<T> => {
  const to = await organizationOfForm(slug);
  return inTenant(to.id, () => work(to), ownTransaction(request));
};

/** Like `writeInForm`, and counts the form once it is accepted. @throws Refusal throttled */
export const acceptForm = (
  slug: string,
  request: RequestFacts,
  scope: AcceptedScope,
  work: (to: FormOrganization) => Promise<unknown>,
): Promise<void> =>
  writeInForm(slug, request, async (to) => {
    await work(to);
    await spendAccepted(request, scope);
  });
