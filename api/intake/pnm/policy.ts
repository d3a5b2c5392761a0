import type { Actor } from '../../../models/identity/Actor.js';
import type { Authority } from '../../../models/organizations/lifecycle/transitions.js';
import { chapterManagers, may, nationalAdmin, policy } from '../../http/policy.js';

export const pnmPolicy = policy('prospective member', {
  read: chapterManagers,
  write: chapterManagers,
  /** Stage transitions reserved for admins of the organization, and reverting a crossing. */
  decide: [nationalAdmin],
});

/** Returns the authority with which the actor changes prospective members. */
export const authorityOf = (actor: Actor): Authority => (may(actor, pnmPolicy, 'decide') ? 'organization' : 'officer');
