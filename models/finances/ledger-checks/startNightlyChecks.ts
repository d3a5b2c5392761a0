/** Creates the rows of nightly ledger checks, a few organizations at a time. */
import type { LedgerCheckInput } from '../../../workflows/contracts/ledgerCheck.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';

export interface NightlyCheckBatch {
  /** The checks of the batch that must run. */
  checks: LedgerCheckInput[];
  /** Id after which the next batch starts; null after the last batch. */
  next: string | null;
}

/** Number of organizations in a batch. The checks of a batch run at the same time, so it is small. */
const BATCH_SIZE = 5;

/** Number of nightly checks that are kept for each organization. */
const MAX_KEPT_NIGHTS = 90;

/**
 * Creates tonight's check in each active organization of the next batch, and deletes old nightly checks. An organization
 * whose check is running, or was checked this night, is left out. Repeating it returns the same checks while they run.
 * @param after id of the last organization of the batch before; null for the first batch
 */
export async function startNightlyChecks(after: string | null): Promise<NightlyCheckBatch> {
  const batch = await inPlatform(() =>
    rows<{ id: string }>(
      'SELECT id FROM organizations WHERE is_active AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2',
      [after, BATCH_SIZE],
    ),
  );
  const checks: LedgerCheckInput[] = [];
  for (const { id: organizationId } of batch) {
    const checkIds = await inTenant(organizationId, startNightlyCheck);
    checks.push(...checkIds.map((checkId) => ({ organizationId, checkId })));
  }
  return { checks, next: batch.length === BATCH_SIZE ? (batch.at(-1)?.id ?? null) : null };
}

/** Returns the id of tonight's check while it runs, which this function may have created; else no id. */
async function startNightlyCheck(): Promise<string[]> {
  const started = await rows<{ id: string }>(
    `WITH tonight AS (SELECT (now() AT TIME ZONE 'UTC')::date AS night),
     created AS (
       INSERT INTO ledger_checks (organization_id, night) SELECT $1, night FROM tonight ON CONFLICT DO NOTHING RETURNING id)
     SELECT id FROM created
      UNION ALL
     SELECT c.id FROM ledger_checks c JOIN tonight USING (night) WHERE c.organization_id = $1 AND c.status = 'running'`,
    [currentOrganization()],
  );
  await rows(
    `DELETE FROM ledger_checks WHERE organization_id = $1 AND id IN (
       SELECT id FROM ledger_checks WHERE organization_id = $1 AND night IS NOT NULL ORDER BY night DESC OFFSET $2)
       AND status <> 'running'`,
    [currentOrganization(), MAX_KEPT_NIGHTS],
  );
  return started.map(({ id }) => id);
}
