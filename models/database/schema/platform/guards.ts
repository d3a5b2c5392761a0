import { type Guards, isolate, may } from '../../isolation.js';

export const guards: Guards = {
  verified_domains: [isolate('SELECT, INSERT, DELETE')],
  // texts are immutable
  platform_alerts: [may('SELECT, INSERT, UPDATE (reached_organization_id, status, closed_at)')],
};
