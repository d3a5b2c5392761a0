import { z } from 'zod';
import { moment, name, oneOf, secret, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as shownMoment } from '../../fields.js';
import { financesErrors } from '../errors.js';
import { PROVIDERS, PURPOSES } from './vocabulary.js';

export { PROVIDERS, type Provider, type Purpose } from './vocabulary.js';

/** SQL: whether a table has a row `x` that belongs to the processor and meets a condition. */
const hasRow = (from: string, condition: string): string =>
  `EXISTS (SELECT FROM ${from} WHERE x.organization_id = org_payment_processors.organization_id
     AND x.processor_id = org_payment_processors.id AND ${condition})`;

/**
 * SQL: whether the processor's key is still needed by a pending charge, an open page, flagged money, a pending refund
 * or an unprocessed event.
 */
const HAS_PENDING_WORK = `(${[
  hasRow('payment_attempts x', `x.status = 'pending'`),
  hasRow('payment_attempts x', `x.status <> 'pending' AND x.checkout_keys > 0 AND x.checkout_closed_at IS NULL`),
  hasRow('processor_captures x', `x.disposition = 'flagged'`),
  hasRow(
    'capture_resolutions r JOIN processor_captures x ON x.organization_id = r.organization_id AND x.id = r.capture_id',
    `r.status = 'pending'`,
  ),
  hasRow(
    'refunds r JOIN processor_captures x ON x.organization_id = r.organization_id AND x.id = r.capture_id',
    'r.finished_at IS NULL',
  ),
  hasRow('webhook_events x', 'x.processed_at IS NULL'),
].join(' OR ')})`;

/** An organization's account at a card processor. Its secrets stay encrypted. */
export class OrgPaymentProcessor extends defineModel({
  table: 'org_payment_processors',
  columns: {
    ...tenantKeys,
    purpose: oneOf(PURPOSES).default('dues').serverSet().hidden(),
    provider: oneOf(PROVIDERS),
    label: name(100),
    account_reference: text(200).nullable(),
    gateway_account_id: text(200)
      .nullable()
      .meta({ description: "The provider's id of the account. Null: unknown until the next rotation." }),
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
      z.boolean().meta({
        description:
          'A pending charge or unmatched payment still needs the key. The key can be rotated even while the processor is disabled.',
      }),
      HAS_PENDING_WORK,
    ),
    accepts_previous_webhook_secret: derived(
      z.boolean().meta({ description: 'The webhook secret from before the last rotation is still valid.' }),
      'coalesce(org_payment_processors.previous_webhook_secret_expires_at > now(), false)',
    ),
    previous_webhook_secret_expires_at: derived(
      shownMoment.nullable().meta({ description: 'When the previous webhook secret expires.' }),
      `CASE WHEN org_payment_processors.previous_webhook_secret_expires_at > now()
            THEN to_json(org_payment_processors.previous_webhook_secret_expires_at) END`,
    ),
  },
  constraints: { payment_processors_one_active: financesErrors.processor_already_active },
}) {}
