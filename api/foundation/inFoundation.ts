/** Transactions in the tenant of a foundation whose public id is in the address. */
import { inTransaction, type Limits, platformPreamble, withColumns } from '../../models/database/tenancy.js';
import { refuse } from '../../models/errors.js';

/**
 * Begins a transaction of the organization that a public foundation id belongs to. The organization is looked up in the
 * same statement, so that this costs no extra round trip.
 */
export const foundationPreamble = (foundationId: string) => (limits: Limits) =>
  withColumns(
    platformPreamble(limits),
    `set_config('app.organization_id', coalesce(app.foundation_of($3)::text, ''), true) AS organization_id`,
    foundationId,
  );

/** Runs `work` in the tenant of a public foundation id. @throws Refusal not_found */
export function inFoundation<T>(
  foundationId: string,
  options: Parameters<typeof inTransaction>[1],
  work: () => Promise<T>,
): Promise<T> {
  const organizationOf = (row: Record<string, unknown> | undefined) => (row?.['organization_id'] as string) || null;
  return inTransaction(foundationPreamble(foundationId), options, organizationOf, async (row) => {
    if (!organizationOf(row)) throw refuse.not_found();
    return work();
  });
}
