import type { Actor } from '../../../models/identity/Actor.js';
import type { Hand } from '../../../models/organizations/lifecycle/transitions.js';
import { may, nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

const MANAGERS = [nationalAdmin, regionalAdminOfChapter, officerOfChapter];

export const pnmPolicy = policy('prospective member', {
  read: MANAGERS,
  write: MANAGERS,
  /** What the stages have for admins of the organization, and taking a crossing back. */
  decide: [nationalAdmin],
});

/** By whose right somebody acts on those of a chapter, who may. */
export const handOf = (actor: Actor): Hand => (may(actor, pnmPolicy, 'decide') ? 'organization' : 'officer');
