/**
 * Confinement of sessions. If an organization's identity provider signed a person in, the session is limited to that
 * organization, because the provider can vouch for the person only there.
 */
import { NIL } from '../database/uuid.js';
import { defineErrors } from '../errors.js';
import type { Actor } from './Actor.js';

export const confinementErrors = defineErrors({
  session_confined: [
    403,
    'You signed in through the identity provider of an organization, so this session is limited to that organization. Sign in with your password or a passkey instead.',
  ],
});

/**
 * Returns the organization to which the session is confined; null if it is not confined. A confined session without an
 * active organization gets NIL, an id that no organization has.
 */
export const confinedOrganizationId = ({ facts }: Actor): string | null =>
  facts.auth.is_confined ? (facts.organization_id ?? NIL) : null;
