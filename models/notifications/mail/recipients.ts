import { currentOrganization, rows } from '../../database/rows.js';

/**
 * Maximum number of mails per person and hour. Critical mails do not count. Deliveries above the limit wait and are
 * combined.
 */
const MAX_MAILS_PER_HOUR = 20;

export interface MailRecipient {
  userId: string;
  /** Time zone for dates in this recipient's mail. */
  timezone: string;
  /** Number of mails that this recipient may still get in this hour. */
  left: number;
  /** Seconds until the recipient may get one more mail. */
  freeIn: number;
}

/** Returns the time zone and the remaining hourly quota of recipients, by id. */
export async function mailRecipients(userIds: readonly string[]): Promise<Map<string, MailRecipient>> {
  const recipients = await rows<MailRecipient>(
    `SELECT u.id AS "userId", coalesce(q.timezone, o.timezone) AS timezone, greatest(0, ${MAX_MAILS_PER_HOUR} - m.sent)::int AS left,
            coalesce(ceil(extract(epoch FROM m.oldest + interval '1 hour' - now())), 3600)::int AS "freeIn"
       FROM unnest($2::uuid[]) AS u (id)
       JOIN organizations o ON o.id = $1
       LEFT JOIN user_quiet_hours q ON q.user_id = u.id
      CROSS JOIN LATERAL (SELECT count(*) AS sent, min(claimed_at) AS oldest FROM mail_messages
        WHERE organization_id = $1 AND recipient_id = u.id AND NOT critical AND claimed_at > now() - interval '1 hour') m`,
    [currentOrganization(), userIds],
  );
  return new Map(recipients.map((one) => [one.userId, one]));
}
