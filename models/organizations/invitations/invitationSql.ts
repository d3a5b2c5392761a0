/** The invitation of a membership or office whose person has not accepted yet. */

export interface InvitationFacts {
  state: 'open' | 'expired' | 'declined' | 'withdrawn';
  /**
   * Time of the invitation mail. Null: none was sent, because the address had already received its one mail of the day.
   */
  mailed_at: string | null;
  expires_at: string;
}

/** The person of an office or a membership, as lists show them. */
export interface InvitedPerson {
  /** The address as it may be shown; null for an erased account, and for a person who declined an invitation. */
  email: string | null;
  first_name: string;
  last_name: string;
  /** The state of the person's invitation; null for a person who has an account. */
  invitation: InvitationFacts | null;
}

/**
 * SQL for the `InvitationFacts` of a membership or office whose person is `u`. If the person has an account, the result
 * is null and no invitation is looked up.
 * @param row alias of the row, which has organization_id and id
 * @param subject the column of invitations that refers to the row
 */
export const invitationOf = (row: string, subject: string): string => `
  CASE WHEN u.placeholder_in IS NOT NULL THEN (
    SELECT json_build_object('state', CASE WHEN i.state = 'open' AND i.expires_at <= now() THEN 'expired' ELSE i.state END,
             'mailed_at', i.mailed_at, 'expires_at', i.expires_at)
      FROM invitations i WHERE i.organization_id = ${row}.organization_id AND i.${subject} = ${row}.id) END AS invitation`;
