import { type Guards, grant, trackUpdates } from '../../isolation.js';

export const guards: Guards = {
  social_accounts: [grant('SELECT, INSERT, UPDATE, DELETE'), trackUpdates],
  social_link_flows: [grant('SELECT, INSERT, DELETE')],
};
