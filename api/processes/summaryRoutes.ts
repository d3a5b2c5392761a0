import type { Actor } from '../../models/identity/Actor.js';
import {
  readOrganizationSummary,
  readPlatformSummary,
  type SummaryReach,
} from '../../models/processes/consoleSummary.js';
import { planRequestPolicy } from '../finances/plan-requests/policy.js';
import { remittancePolicy } from '../finances/remittances/routes.js';
import {
  anyOfficer,
  anyRegionalAdmin,
  authorize,
  by,
  may,
  nationalAdmin,
  type Policy,
  policy,
} from '../http/policy.js';
import { get, routes } from '../http/routes.js';
import { processPolicy } from './policy.js';
import { scopeOf } from './reach.js';
import { OrganizationHeader } from './schema.js';
import { ConsoleSummaryJson } from './summarySchema.js';

const summaryPolicy = policy('console summary', {
  read: [nationalAdmin, anyRegionalAdmin, anyOfficer],
  read_organization: [nationalAdmin],
});

const EMPTY = {
  stuck_processes: null,
  remittance_flags: null,
  money_cases: null,
  unmatched_payments: null,
  approvals: null,
  ending_freezes: null,
  disputes_due: null,
  last_ledger_check: null,
  outbox: null,
  organizations_without_admin: null,
};

/** Chapters in which the policy allows the action; null: all chapters. */
function chaptersOf<Action extends string>(actor: Actor, rules: Policy<Action>, action: Action): string[] | null {
  if (may(actor, rules, action)) return null;
  const chapters = new Set([...actor.officerChapterIds, ...actor.regionalChapterIds]);
  return [...chapters].filter((chapter_id) => may(actor, rules, action, { chapter_id }));
}

const reachOf = (actor: Actor): SummaryReach => ({
  userId: actor.userId,
  isPlatformAdmin: actor.isPlatformAdmin,
  all: may(actor, summaryPolicy, 'read_organization'),
  remittanceChapters: chaptersOf(actor, remittancePolicy, 'read'),
  planChapters: chaptersOf(actor, planRequestPolicy, 'review'),
  processes: may(actor, processPolicy, 'read') ? scopeOf(actor, 'read') : null,
});

export const summaryRoutes = routes('/api/console/summary', [
  get(
    '/',
    {
      // Not `tenant`: platform admins may have no tenant.
      access: 'account',
      tags: ['processes'],
      headers: OrganizationHeader,
      summary: 'Count what waits for you',
      description:
        'For the start page of the console: admins of the organization, regional admins and officers of a chapter. A field is null if you do not see such rows. Platform admins without an organization get what waits on the platform.',
      operationId: 'getConsoleSummary',
      throttle: ['console'],
      rule: by(summaryPolicy, 'read'),
      impersonation: 'closed',
      response: ConsoleSummaryJson,
    },
    async ({ actor }) => {
      authorize(actor, summaryPolicy, 'read');
      const hasTenant = actor.facts.organization_id !== null;
      return { ...EMPTY, ...(hasTenant ? await readOrganizationSummary(reachOf(actor)) : await readPlatformSummary()) };
    },
  ),
]);
