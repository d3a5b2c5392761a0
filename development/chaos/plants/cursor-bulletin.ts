/**
 * Planted fault: a bulletin goes on after the last address with a recorded outcome, and claims without an outcome do not
 * count. A worker that dies before it records outcomes mails the same addresses again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { currentOrganization, rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import * as sending from '../../../models/foundation/bulletins/sendRound.js';
import { replace } from './replace.js';

const { beginSending, recordAndClaimRecipients } = sending;
type ClaimArguments = Parameters<typeof recordAndClaimRecipients>;

/** Delay before outcomes are recorded, as on a busy server. */
const DELAY_MS = 1_000;
/** The recipients of each bulletin that this worker mails now. */
const inFlight = new Map<string, Set<string>>();

replace(sending, {
  beginSending: async (bulletinId: string, round: number) => {
    inFlight.set(bulletinId, new Set());
    await forgetClaimsAfterCursor(bulletinId);
    return beginSending(bulletinId, round);
  },
  recordAndClaimRecipients: async (...[organizationId, round, results, request]: ClaimArguments) => {
    if (results.length > 0) await sleep(DELAY_MS);
    const { claimed, last } = await recordAndClaimRecipients(organizationId, round, results, request);
    const known = inFlight.get(round.bulletinId);
    for (const { recipientId } of claimed) known?.add(recipientId);
    const again = (await inTenant(organizationId, () => claimedBefore(round))).filter(
      ({ recipientId }) => !known?.has(recipientId),
    );
    for (const { recipientId } of again) known?.add(recipientId);
    return { claimed: [...claimed, ...again], last };
  },
});

const forgetClaimsAfterCursor = (bulletinId: string): Promise<unknown> =>
  rows(
    `UPDATE foundation_bulletin_recipients SET claimed_round = NULL
      WHERE organization_id = $1 AND bulletin_id = $2 AND status = 'pending' AND email > coalesce(
        (SELECT max(email) FROM foundation_bulletin_recipients
          WHERE organization_id = $1 AND bulletin_id = $2 AND status <> 'pending'), '')`,
    [currentOrganization(), bulletinId],
  );

const claimedBefore = ({ bulletinId, round }: sending.SendingRound): Promise<sending.ClaimedRecipient[]> =>
  rows<sending.ClaimedRecipient & Record<string, unknown>>(
    `SELECT r.id AS "recipientId", m.id AS "mailId", m.message_id AS "messageId", r.email
       FROM foundation_bulletin_recipients r
       JOIN mail_messages m ON m.organization_id = $1 AND m.message_id = 'bulletin.' || r.id || '.' || $3::int
      WHERE r.organization_id = $1 AND r.bulletin_id = $2 AND r.status = 'pending' AND r.claimed_round = $3::int`,
    [currentOrganization(), bulletinId, round],
  );
