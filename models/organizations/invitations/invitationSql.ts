/** What rows that wait for somebody's answer say of their invitation. */

export interface InvitationFacts {
  state: 'open' | 'expired' | 'declined' | 'withdrawn';
  /** Null: the address had its mail of the day already. */
  mailed_at: string | null;
  expires_at: string;
}

/** The person of an office or a membership, as lists show them. */
export interface InvitedPerson {
  /** Null of a deleted account, and of somebody who declined an invitation. */
  email: string | null;
  first_name: string;
  last_name: string;
  /** Null for whoever has an account. */
  invitation: InvitationFacts | null;
}

/**
 * SQL for InvitationFacts of a row of the person `u`; null for everybody who has an account, for whom nothing is looked up.
 * @param row its alias, which has organization_id and id
 * @param subject the column of invitations that names it
 */
export const invitationOf = (row: string, subject: string): string => `
  CASE WHEN u.placeholder_in IS NOT NULL THEN (
    SELECT json_build_object('state', CASE WHEN i.state = 'open' AND i.expires_at <= now() THEN 'expired' ELSE i.state END,
             'mailed_at', i.mailed_at, 'expires_at', i.expires_at)
      FROM invitations i WHERE i.organization_id = ${row}.organization_id AND i.${subject} = ${row}.id) END AS invitation`;
