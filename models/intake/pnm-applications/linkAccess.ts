/**
 * Access that the link of a submitted version gives before its mailbox is confirmed. Neither the actions of other
 * people nor the timing may disclose whether the version counts or waits for its mail. All constants are SQL over `v`,
 * a version, and `a`, its application, both of the organization `$1`.
 */

const inPeriod = (condition: string): string =>
  `EXISTS (SELECT FROM recruitment_periods r
     WHERE r.organization_id = $1 AND r.id = a.recruitment_period_id AND (${condition}))`;

/**
 * The link of a version whose mailbox was never confirmed ends for good 30 days after its period.
 * `forget_unproven_applications` uses the same rule to erase.
 */
export const LINK_IS_VALID = `(v.asks_proof OR v.confirmed_at IS NOT NULL OR NOT ${inPeriod(
  `r.status = 'closed' AND r.turned_at < now() - interval '30 days' OR v.created_at < r.links_ended_at`,
)})`;

/**
 * True for a version that was sent while no proof was required and whose mailbox was never confirmed: its link only
 * shows the version itself.
 */
export const IS_RESTRICTED = `(NOT v.asks_proof AND v.confirmed_at IS NULL)`;

/** True once the period is closed: a restricted version accepts no more changes. */
export const PERIOD_IS_CLOSED = inPeriod(`r.status = 'closed'`);

/** True once the applicant has withdrawn the version. */
export const IS_WITHDRAWN = `(v.state <> 'archived' AND v.confirm_hash IS NULL AND v.confirmed_at IS NULL
  OR v.state = 'current' AND a.state = 'withdrawn')`;
