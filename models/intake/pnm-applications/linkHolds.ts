/**
 * What the link of something sent shows and opens before its mailbox has answered: whether it counts or waits for its mail must not
 * be told by what others do to it, nor by time. All are SQL over `v`, a version, and `a`, its application, both of the organization `$1`.
 */

const inPeriod = (condition: string): string =>
  `EXISTS (SELECT FROM recruitment_periods r
     WHERE r.organization_id = $1 AND r.id = a.recruitment_period_id AND (${condition}))`;

/**
 * Of what never proved its mailbox the link ends 30 days after the period has, for good; `forget_unproven_applications` erases by it,
 * too.
 */
export const LINK_HOLDS = `(v.asks_proof OR v.confirmed_at IS NOT NULL OR NOT ${inPeriod(
  `r.status = 'closed' AND r.turned_at < now() - interval '30 days' OR v.created_at < r.links_ended_at`,
)})`;

/** Sent while no proof was wanted, it has never proved its mailbox: its link knows of what came with it alone. */
export const IS_SHUT = `(NOT v.asks_proof AND v.confirmed_at IS NULL)`;

/** Its period is closed: nothing more is taken of what is shut. */
export const PERIOD_OVER = inPeriod(`r.status = 'closed'`);

/** Whoever sent it has taken it back. */
export const TAKEN_BACK = `(v.state <> 'archived' AND v.confirm_hash IS NULL AND v.confirmed_at IS NULL
  OR v.state = 'current' AND a.state = 'withdrawn')`;
