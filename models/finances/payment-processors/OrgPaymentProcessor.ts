import { z } from 'zod';
import { moment, name, oneOf, secret, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as shownMoment } from '../../fields.js';
import { financesErrors } from '../errors.js';

export const PROVIDERS = ['stripe', 'square', 'paypal', 'checkout'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** SQL: something of a processor's, `x`, that is so. */
const has = (from: string, condition: string): string =>
  `EXISTS (SELECT FROM ${from} WHERE x.organization_id = org_payment_processors.organization_id
     AND x.processor_id = org_payment_processors.id AND ${condition})`;

/** SQL: whether something that it has begun needs its key still: a charge, a page, money or an event that waits. */
const UNDER_WAY = `(${[
  has('payment_attempts x', `x.status = 'pending'`),
  has('payment_attempts x', `x.status <> 'pending' AND x.checkout_keys > 0 AND x.checkout_closed_at IS NULL`),
  has('processor_captures x', `x.disposition = 'flagged'`),
  has(
    'capture_resolutions r JOIN processor_captures x ON x.organization_id = r.organization_id AND x.id = r.capture_id',
    `r.status = 'pending'`,
  ),
  has(
    'refunds r JOIN processor_captures x ON x.organization_id = r.organization_id AND x.id = r.capture_id',
    'r.finished_at IS NULL',
  ),
  has('webhook_events x', 'x.processed_at IS NULL'),
].join(' OR ')})`;

/** A card processor's account of an organization. The secrets stay sealed. */
export class OrgPaymentProcessor extends defineModel({
  table: 'org_payment_processors',
  columns: {
    ...tenantKeys,
    provider: oneOf(PROVIDERS),
    label: name(100),
    account_reference: text(200).nullable(),
    gateway_account_id: text(200)
      .nullable()
      .meta({ description: "The provider's own id of the account. Null: it is learned at the next rotation." }),
    gateway_livemode: yesOrNo().nullable().hidden(),
    publishable_key: text(300).nullable(),
    secret_key_encrypted: secret(),
    webhook_secret_encrypted: secret(),
    previous_webhook_secret_encrypted: secret().nullable(),
    previous_webhook_secret_expires_at: moment().nullable().hidden(),
    disabled_at: moment().nullable(),
    ...stamps,
  },
  derived: {
    is_active: derived(z.boolean(), 'org_payment_processors.disabled_at IS NULL'),
    has_work_under_way: derived(
      z
        .boolean()
        .meta({ description: 'A charge or unmatched money needs the key still: it can be rotated, disabled or not.' }),
      UNDER_WAY,
    ),
    accepts_previous_webhook_secret: derived(
      z.boolean().meta({ description: 'The webhook secret before the last rotation is valid too.' }),
      'coalesce(org_payment_processors.previous_webhook_secret_expires_at > now(), false)',
    ),
    previous_webhook_secret_expires_at: derived(
      shownMoment.nullable().meta({ description: 'When it ends.' }),
      `CASE WHEN org_payment_processors.previous_webhook_secret_expires_at > now()
            THEN to_json(org_payment_processors.previous_webhook_secret_expires_at) END`,
    ),
  },
  constraints: { payment_processors_one_active: financesErrors.processor_already_active },
}) {}
