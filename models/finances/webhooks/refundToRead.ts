import { currentOrganization, firstRow } from '../../database/rows.js';
import { openAccess, type ProcessorAccess } from '../attempts/processorAccess.js';
import { CAPTURE_VERSION_SQL } from '../captures/setRefundedTotal.js';

/** A refund or dispute that an event reports and the provider must confirm before it counts. */
export interface UnconfirmedRefund {
  about: 'refunds' | 'disputes';
  intentId: string;
  /** The dispute to read; null: all disputes of the charge. */
  disputeId: string | null;
  /** Database time before the provider is asked. */
  askedAt: string;
  /** Version of the capture, read before the provider is asked; null if the capture is not recorded. */
  version: string | null;
  /**
   * Number of deliveries of the event so far. If another delivery arrives during the request to the provider, it may
   * report something newer.
   */
  deliveries: number;
  access: ProcessorAccess;
}

interface Row extends Omit<UnconfirmedRefund, 'access'> {
  key_of: string;
  provider: string;
  secret: string;
}

/**
 * Returns what the provider must confirm: events signed with a secret of a disabled processor, which may have leaked;
 * events about a dispute or a changed refund; and refunds of charges with an earlier changed or failed refund, because
 * events arrive in any order. The request uses a key of the same account, an active processor's if there is one.
 * @returns null for all other events, and for an applied one
 */
export async function findUnconfirmedRefund(webhookEventId: string): Promise<UnconfirmedRefund | null> {
  const row = await firstRow<Row>(
    `SELECT CASE WHEN e.type LIKE 'charge.dispute.%' THEN 'disputes' ELSE 'refunds' END AS about, clock_timestamp()::text AS "askedAt",
            e.payload->>'intentId' AS "intentId",
            -- For an unconfirmed event, read all disputes of the charge: the event may be forged and name another
            -- dispute.
            CASE WHEN (e.payload->>'isDoubted')::boolean THEN NULL ELSE e.payload->>'disputeId' END AS "disputeId", ${CAPTURE_VERSION_SQL} AS version, e.deliveries,
            k.id AS key_of, k.provider, k.secret_key_encrypted AS secret
       FROM webhook_events e
       JOIN org_payment_processors p ON p.organization_id = e.organization_id AND p.id = e.processor_id
       JOIN org_payment_processors k ON k.organization_id = p.organization_id AND (k.id = p.id
         OR (k.provider, k.gateway_account_id, k.gateway_livemode) = (p.provider, p.gateway_account_id, p.gateway_livemode))
       LEFT JOIN processor_captures c ON c.organization_id = e.organization_id AND c.processor_id = e.processor_id
        AND c.intent_id = e.payload->>'intentId'
      WHERE e.organization_id = $1 AND e.id = $2 AND e.outcome IS NULL AND e.payload->>'intentId' IS NOT NULL
        AND (e.type LIKE 'charge.dispute.%' OR e.type IN ('charge.refunded','refund.failed','charge.refund.updated'))
        AND (e.type <> 'charge.refunded' OR (e.payload->>'isDoubted')::boolean OR c.refunds_read_at IS NOT NULL
          OR EXISTS (SELECT FROM capture_resolutions r
                      WHERE r.organization_id = c.organization_id AND r.capture_id = c.id AND r.status = 'failed')
          OR EXISTS (SELECT FROM webhook_events f WHERE f.organization_id = e.organization_id AND f.processor_id = e.processor_id
                        AND f.type IN ('refund.failed','charge.refund.updated')
                        AND f.payload->>'intentId' = e.payload->>'intentId'))
      ORDER BY k.disabled_at IS NULL DESC, k.id = p.id DESC LIMIT 1`,
    [currentOrganization(), webhookEventId],
  );
  if (!row) return null;
  const { key_of, provider, secret, ...refund } = row;
  return { ...refund, access: openAccess(key_of, provider, secret) };
}
