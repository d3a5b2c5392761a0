import { anyone, policy } from '../../http/policy.js';

/** A person's own consents. No one reads or gives consents for another person. */
export const ownConsentPolicy = policy('own consent', { read: [anyone], give: [anyone] });
