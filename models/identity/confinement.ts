/** What an organization's identity provider vouches for counts in that organization alone. */
import { NIL } from '../database/uuid.js';
import { defineErrors } from '../errors.js';
import type { Actor } from './Actor.js';

export const confinementErrors = defineErrors({
  session_confined: [
    403,
    'This session was begun by the identity provider of its organization, and does not leave it. Sign in with your password or a passkey.',
  ],
});

/** The organization that a session may not look out of; null when it may. */
export const confinedTo = ({ facts }: Actor): string | null =>
  facts.auth.is_confined ? (facts.organization_id ?? NIL) : null;
