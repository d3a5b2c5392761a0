import type { Actor } from '../../../models/identity/Actor.js';
import type { Authority } from '../../../models/organizations/lifecycle/transitions.js';
import { may, nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

const MANAGERS = [nationalAdmin, regionalAdminOfChapter, officerOfChapter];

export const pnmPolicy = policy('prospective member', {
  read: MANAGERS,
  write: MANAGERS,
  /** Stage transitions reserved for admins of the organization, and reverting a crossing. */
  decide: [nationalAdmin],
});

/** Returns the authority with which the actor changes prospective members. */
export const authorityOf = (actor: Actor): Authority => (may(actor, pnmPolicy, 'decide') ? 'organization' : 'officer');
