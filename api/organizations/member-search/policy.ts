import { anyone, organizationAdmin, policy } from '../../http/policy.js';

export const memberSearchPolicy = policy('member search', {
  read: [anyone],
  /** Admins who may start impersonations may search for people to impersonate. */
  read_impersonable: [organizationAdmin],
});
