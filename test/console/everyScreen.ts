/** Every screen of the console, with what it shows once it is loaded. Add a line for each new screen. */
import type { Person, World } from '../support/world.js';

/** Ids of rows that screens about one row open. */
export interface Shown {
  world: World;
  process: string;
}

interface Screen {
  path: string;
  /** Text that is on the screen once its data is loaded. */
  shows: string | RegExp;
  /** Who opens it; null: without a session. */
  as: Person | null;
}

export const everyScreen = ({ world: { admin, officer, member }, process }: Shown): Screen[] => [
  { path: '/console', shows: 'Sign in with a passkey', as: null },
  { path: '/auth/forgot-password', shows: 'Send me a link', as: null },
  { path: '/auth/reset-password?token=x', shows: 'Set the password', as: null },
  { path: '/auth/verify-email?token=x', shows: 'Verify the address', as: null },
  { path: '/auth/invitation?token=x', shows: 'Decline', as: null },
  { path: '/auth/sso/callback?error=no_account', shows: 'There is no account', as: null },
  { path: '/console', shows: 'Flagged remittances', as: admin },
  { path: '/console', shows: 'Flagged remittances', as: officer },
  { path: '/console', shows: 'The console is for officers and administrators', as: member },
  { path: '/console/processes', shows: 'Money moved', as: admin },
  { path: '/console/processes?kind=rollover', shows: 'There are no such processes', as: admin },
  { path: `/console/processes/${process}`, shows: 'What you can do', as: admin },
  { path: '/console/processes/unknown', shows: 'not_found', as: admin },
  { path: '/console/nowhere/1', shows: 'no screen for this address', as: admin },
  { path: '/account/security', shows: 'What happened to your account', as: member },
];
