import { type Guards, isolate, may } from '../../isolation.js';

export const guards: Guards = {
  verified_domains: [isolate('SELECT, INSERT, DELETE')],
  // what was said stays as it was said
  platform_alerts: [may('SELECT, INSERT, UPDATE (reached_organization_id, status, closed_at)')],
};
