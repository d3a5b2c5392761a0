import { nationalAdmin, policy } from '../../http/policy.js';

export const consentTemplatePolicy = policy('consent template', { read: [nationalAdmin], write: [nationalAdmin] });
