/**
 * How long the link of what was sent without proof lasts: whether it counts or waits for its mailbox must not be told by time either.
 * All are SQL over `v`, a version, and `a`, its application, both of the organization `$1`.
 */

const closed = (more: string): string =>
  `EXISTS (SELECT FROM recruitment_periods r
     WHERE r.organization_id = $1 AND r.id = a.recruitment_period_id AND r.status = 'closed' AND ${more})`;

/** Of what never proved its mailbox the link ends 30 days after the period has; `forget_unproven_applications` erases by it, too. */
export const LINK_HOLDS = `(v.asks_proof OR v.confirmed_at IS NOT NULL
  OR NOT ${closed(`r.turned_at < now() - interval '30 days'`)})`;

/** Nobody could look at it, and it ends with the period as what nobody has decided does. */
export const ENDED_UNDECIDED = `(v.state = 'pending' AND NOT v.asks_proof AND ${closed('r.settled_turn = r.turn')})`;
