import { anyone, policy } from '../../http/policy.js';

/** What is asked of somebody, and what they have given: nobody reads or gives for another. */
export const ownConsentPolicy = policy('own consent', { read: [anyone], give: [anyone] });
