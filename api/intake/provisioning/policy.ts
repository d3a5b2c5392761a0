import { anyone, nationalAdmin, policy } from '../../http/policy.js';

export const provisioningPolicy = policy('account provisioning', { read: [nationalAdmin], write: [nationalAdmin] });

/** What a member has at the provider: nobody reads it or asks for a password for another. */
export const ownAccountPolicy = policy('own provisioned account', { read: [anyone], ask: [anyone] });
