import { nationalAdmin, policy } from '../../http/policy.js';

export const importPolicy = policy('import', { read: [nationalAdmin], write: [nationalAdmin] });
