import { z } from 'zod';
import { cents, json, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

const KINDS = ['captured', 'refunded', 'refund_failed', 'disputed', 'payout', 'other'] as const;
const signed = () => cents(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/** Money that a provider says came to an account or left it, by whoever's hand. Below zero it left. */
export class GatewayMovement extends defineModel({
  table: 'gateway_movements',
  columns: {
    ...tenantKeys,
    processor_id: link(),
    provider: text(50),
    movement_id: text(200),
    kind: oneOf(KINDS),
    amount_cents: signed(),
    fee_cents: signed(),
    currency: text(3),
    moved_at: moment(),
    intent_id: text(200).nullable(),
    gateway_refund_id: text(200).nullable(),
    marks: json(z.record(z.string(), z.string())).default({}),
    created_at: stamps.created_at,
  },
}) {}
