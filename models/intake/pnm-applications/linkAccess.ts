/**
 * SQL conditions for what the mailed link of an application version may show or do. Until the mailbox is confirmed,
 * neither the link nor response times may disclose whether the version counts already. `v` is a version and `a` its
 * application, both in organization `$1`.
 */

const inPeriod = (condition: string): string =>
  `EXISTS (SELECT FROM recruitment_periods r
     WHERE r.organization_id = $1 AND r.id = a.recruitment_period_id AND (${condition}))`;

/**
 * True while the version's link works. The link of a version whose mailbox was never confirmed ends once the period has
 * been closed for 30 days. `forget_unproven_applications` erases by the same rule.
 */
export const LINK_IS_VALID = `(v.asks_proof OR v.confirmed_at IS NOT NULL OR NOT ${inPeriod(
  `r.status = 'closed' AND r.turned_at < now() - interval '30 days' OR v.created_at < r.links_ended_at`,
)})`;

/**
 * True for a version whose form required no confirmed mailbox, and whose mailbox was never confirmed. Its link shows
 * only the version itself.
 */
export const IS_RESTRICTED = `(NOT v.asks_proof AND v.confirmed_at IS NULL)`;

/** True if the recruitment period is closed. Restricted versions can then no longer be changed. */
export const PERIOD_IS_CLOSED = inPeriod(`r.status = 'closed'`);

/** True once the applicant has withdrawn the version. */
export const IS_WITHDRAWN = `(v.state <> 'archived' AND v.confirm_hash IS NULL AND v.confirmed_at IS NULL
  OR v.state = 'current' AND a.state = 'withdrawn')`;
