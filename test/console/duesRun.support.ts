/** A dues run that issues invoices. */
import type { Platform } from '../support/platform.js';
import { asOwner } from '../support/owner.js';
import type { World } from '../support/world.js';

/** The due date of the run, in a month. */
export const inAMonth = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

/** Sets what undergrads owe in the world's term. */
export const setRate = ({ organizationId, termId }: World): Promise<unknown> =>
  asOwner(
    `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, 'undergrad', 12500)`,
    [organizationId, termId],
  );

/** Starts a run. @returns its id */
export async function aDuesRun(admin: ReturnType<Platform['client']>, world: World): Promise<string> {
  await setRate(world);
  const path = `/api/hq/dues/${world.organizationId}/runs/`;
  const request = { term: world.termId, due_date: inAMonth() };
  const { body: preview } = await admin.post(path, { ...request, dry_run: true });
  const { body: run } = await admin.post(path, { ...request, preview_hash: preview.preview_hash });
  return run.id;
}
