import { currentOrganization, rows } from '../../database/rows.js';

/** How many mails that are not critical somebody gets in an hour; what is beyond them waits, and is joined. */
const MAILS_AN_HOUR = 20;

export interface MailRecipient {
  userId: string;
  /** In which their mail tells moments. */
  timezone: string;
  /** Of the mails of this hour, how many are left. */
  left: number;
  /** Seconds until one more is. */
  freeIn: number;
}

/** What the tenant's mail to people has to know of them, by id. */
export async function mailRecipients(userIds: readonly string[]): Promise<Map<string, MailRecipient>> {
  const found = await rows<MailRecipient>(
    `SELECT u.id AS "userId", coalesce(q.timezone, o.timezone) AS timezone, greatest(0, ${MAILS_AN_HOUR} - m.sent)::int AS left,
            coalesce(ceil(extract(epoch FROM m.oldest + interval '1 hour' - now())), 3600)::int AS "freeIn"
       FROM unnest($2::uuid[]) AS u (id)
       JOIN organizations o ON o.id = $1
       LEFT JOIN user_quiet_hours q ON q.user_id = u.id
      CROSS JOIN LATERAL (SELECT count(*) AS sent, min(claimed_at) AS oldest FROM mail_messages
        WHERE organization_id = $1 AND recipient_id = u.id AND NOT critical AND claimed_at > now() - interval '1 hour') m`,
    [currentOrganization(), userIds],
  );
  return new Map(found.map((one) => [one.userId, one]));
}
