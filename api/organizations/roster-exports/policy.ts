import { nationalAdmin, policy } from '../../http/policy.js';

export const rosterExportPolicy = policy('roster export', { read: [nationalAdmin], write: [nationalAdmin] });
