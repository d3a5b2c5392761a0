import { type Guards, may, touched } from '../../isolation.js';

export const guards: Guards = {
  social_accounts: [may('SELECT, INSERT, UPDATE, DELETE'), touched],
  social_link_flows: [may('SELECT, INSERT, DELETE')],
};
