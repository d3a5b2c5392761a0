import { anyone, nationalAdmin, policy } from '../../http/policy.js';

export const provisioningPolicy = policy('account provisioning', { read: [nationalAdmin], write: [nationalAdmin] });

/** A member's own account at the provider: only the member reads it or requests a password for it. */
export const ownAccountPolicy = policy('own provisioned account', { read: [anyone], ask: [anyone] });
