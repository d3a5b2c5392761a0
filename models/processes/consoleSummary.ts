/** Counts of the console's start page, in one statement. */
import { type CountAndOldest, countAndOldest } from '../database/countAndOldest.js';
import { FORCE_GENERIC_PLAN, pipelineAndCommit, queryAndCommit } from '../database/preparedQuery.js';
import type { LEDGER_CHECK_STATUSES } from '../finances/ledger-checks/statuses.js';
import {
  DISPUTES_DUE_SQL,
  endingFreezesSql,
  LAST_LEDGER_CHECK_SQL,
  MONEY_CASES_SQL,
  remittanceFlagsSql,
  UNMATCHED_PAYMENTS_SQL,
} from '../finances/openMoney.js';
import { decidableApprovals } from '../notifications/counts.js';
import { stuckProcessesSql, stuckValues } from './waiting.js';

/** Work that waits in an organization. A field is null if the reader does not see such rows. */
export interface OrganizationSummary {
  stuck_processes: CountAndOldest | null;
  remittance_flags: CountAndOldest | null;
  money_cases: CountAndOldest | null;
  unmatched_payments: CountAndOldest | null;
  approvals: CountAndOldest;
  ending_freezes: CountAndOldest | null;
  disputes_due: CountAndOldest | null;
  last_ledger_check: {
    id: string;
    status: (typeof LEDGER_CHECK_STATUSES)[number];
    started_at: string;
    finished_at: string | null;
  } | null;
}

/** The rows of an organization that a reader sees. */
export interface SummaryReach {
  userId: string;
  isPlatformAdmin: boolean;
  /** Whether the reader sees what concerns the whole organization. */
  all: boolean;
  /** Chapters whose remittances the reader sees; null: all chapters. */
  remittanceChapters: string[] | null;
  /** Chapters whose plan requests the reader may decide; null: all chapters. */
  planChapters: string[] | null;
  /** Processes that the reader sees, as the list of processes; null: none. */
  processes: { organizationId: string | null; kinds: ReadonlySet<string> | null } | null;
}

const ifAll = (sql: string): string => `CASE WHEN $2::boolean THEN ${sql} END`;
const ifAny = (chapters: string, sql: string): string =>
  `CASE WHEN ${chapters}::uuid[] IS NULL OR cardinality(${chapters}) > 0 THEN ${sql} END`;

const ORGANIZATION = `SELECT ${ifAny('$3', remittanceFlagsSql('$3'))} AS remittance_flags,
  ${ifAll(MONEY_CASES_SQL)} AS money_cases, ${ifAll(UNMATCHED_PAYMENTS_SQL)} AS unmatched_payments,
  ${countAndOldest('a.since', decidableApprovals('$8::boolean'))} AS approvals,
  ${ifAny('$4', endingFreezesSql('$4'))} AS ending_freezes, ${ifAll(DISPUTES_DUE_SQL)} AS disputes_due,
  ${ifAll(LAST_LEDGER_CHECK_SQL)} AS last_ledger_check,
  CASE WHEN $5::jsonb IS NOT NULL THEN ${stuckProcessesSql('$5', '$6', '$7')} END AS stuck_processes`;

/** Reads what waits in the tenant, and ends the transaction. */
export async function readOrganizationSummary(reach: SummaryReach): Promise<OrganizationSummary> {
  const { processes, isPlatformAdmin } = reach;
  const stuck = processes ? [...stuckValues(processes.kinds), processes.organizationId] : [null, null, null];
  const values = [reach.userId, reach.all, reach.remittanceChapters, reach.planChapters, ...stuck, isPlatformAdmin];
  const [, [summary] = []] = await pipelineAndCommit([FORCE_GENERIC_PLAN, { text: ORGANIZATION, values }]);
  return summary as unknown as OrganizationSummary;
}

/** Work that waits on the platform. */
export interface PlatformSummary {
  stuck_processes: CountAndOldest;
  outbox: CountAndOldest;
  organizations_without_admin: CountAndOldest;
}

const PLATFORM = `SELECT ${countAndOldest(
  'not_before',
  'outbox WHERE dispatched_at IS NULL AND not_before <= now()',
)} AS outbox,
  ${countAndOldest(
    'o.created_at',
    'app.organizations_without_admin() lacking (id) JOIN organizations o ON o.id = lacking.id',
  )} AS organizations_without_admin,
  ${stuckProcessesSql('$1', '$2')} AS stuck_processes`;

/** Reads what waits on the platform, and ends the transaction. */
export async function readPlatformSummary(): Promise<PlatformSummary> {
  const [summary] = await queryAndCommit<PlatformSummary>(PLATFORM, stuckValues(null));
  return summary as PlatformSummary;
}
