import { policy, self } from '../../http/policy.js';

export const goodStandingPolicy = policy('good standing', { own: [self] });
