import { type Guards, isolate, grant } from '../../isolation.js';

export const guards: Guards = {
  verified_domains: [isolate('SELECT, INSERT, DELETE')],
  // The text of an alert cannot be changed; only its progress can.
  platform_alerts: [grant('SELECT, INSERT, UPDATE (reached_organization_id, status, closed_at)')],
};
