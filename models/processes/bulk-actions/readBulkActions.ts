import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson } from '../../database/rows.js';
import type { ProcessFacts } from '../../../workflows/contracts/index.js';
import type { ProcessBulkAction } from './ProcessBulkAction.js';
import { TARGET_OUTCOMES, type TargetOutcome } from './ProcessBulkActionTarget.js';

type Audience = ProcessFacts['seenBy'];

/** A bulk action as the API shows it. */
export interface BulkActionRow {
  id: string;
  action: ProcessBulkAction['action'];
  reason: string;
  status: ProcessBulkAction['status'];
  workflow_id: string;
  requested_by: string;
  targets: number;
  preview_hash: string;
  created_at: string;
  ended_at: string | null;
}

const COLUMNS = `a.id, a.action, a.reason, a.status, 'bulk-action/' || a.id AS workflow_id, a.requested_by,
  a.targets_total AS targets, a.preview_hash, a.created_at, a.ended_at`;

/** Lists bulk actions, the latest first. @param audiences only those of whose targets the reader sees all kinds */
export const listBulkActions = (audiences: Audience[], page: PageRequest): Promise<Page<BulkActionRow>> =>
  selectPage({
    ...page,
    from: 'process_bulk_actions a',
    where: 'a.organization_id = $1 AND a.audiences <@ $2::text[]',
    values: [currentOrganization(), audiences],
    orderBy: 'a.id DESC',
    key: 'a.id',
    select: COLUMNS,
  });

/** Number of targets by outcome; `waiting` ones are not claimed, `acting` ones are claimed and have no outcome yet. */
export type Totals = Record<'waiting' | 'acting' | TargetOutcome, number>;

const TOTALS = TARGET_OUTCOMES.map((outcome) => `'${outcome}', count(*) FILTER (WHERE outcome = '${outcome}')`).join(
  ', ',
);

/** Reads a bulk action with its totals; null if it is unknown, or if the reader does not see the kinds of its targets. */
export const readBulkAction = (
  id: string,
  audiences: Audience[],
): Promise<(BulkActionRow & { totals: Totals }) | null> =>
  firstJson(
    `SELECT ${COLUMNS}, t.totals FROM process_bulk_actions a CROSS JOIN LATERAL (
       SELECT json_build_object('waiting', count(*) FILTER (WHERE outcome IS NULL AND claimed_at IS NULL),
                'acting', count(*) FILTER (WHERE outcome IS NULL AND claimed_at IS NOT NULL), ${TOTALS}) AS totals
         FROM process_bulk_action_targets WHERE organization_id = a.organization_id AND bulk_action_id = a.id) t
      WHERE a.organization_id = $1 AND a.id = $2 AND a.audiences <@ $3::text[]`,
    [currentOrganization(), id, audiences],
  );

export interface TargetRow {
  workflow_id: string;
  outcome: TargetOutcome | null;
  refusal_code: string | null;
  claimed_at: string | null;
  finished_at: string | null;
}

/** Lists the targets of a bulk action, in the order of the request. */
export const listTargets = (
  bulkActionId: string,
  outcome: TargetOutcome | undefined,
  page: PageRequest,
): Promise<Page<TargetRow>> =>
  selectPage({
    ...page,
    from: 'process_bulk_action_targets t',
    where: 't.organization_id = $1 AND t.bulk_action_id = $2 AND ($3::text IS NULL OR t.outcome = $3)',
    values: [currentOrganization(), bulkActionId, outcome ?? null],
    orderBy: 't.sequence ASC',
    key: 't.id',
    select: 't.workflow_id, t.outcome, t.refusal_code, t.claimed_at, t.finished_at',
  });
