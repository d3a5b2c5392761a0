import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { cents, column, json, name, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid, refuse } from '../../errors.js';
import { timezone } from '../../fields.js';
import { MAX_CHARGE_CENTS } from '../../finances/attempts/chargeLimits.js';
import { receiptOverrides } from './receiptOverrides.js';

/** ISO 4217 codes of all currencies, in lower case. */
const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/** The settings of an organization's foundation. An organization has at most one foundation. */
export class FoundationConfig extends defineModel({
  table: 'foundation_configs',
  subject: 'foundation',
  columns: {
    ...tenantKeys,
    name: name(200),
    legal_name: name(200).nullable(),
    ein: column(DataTypes.TEXT, z.string().regex(/^\d{2}-\d{7}$/, 'Must have the form NN-NNNNNNN.'), z.string())
      .nullable()
      .meta({ description: 'The employer identification number.', example: '12-3456789' }),
    mailing_address: text(500).nullable(),
    receipt_template_overrides: json(receiptOverrides).default({}),
    timezone: column(DataTypes.TEXT, timezone, z.string())
      .default('UTC')
      .meta({ description: 'Decides in which tax year a gift counts.', example: 'America/New_York' }),
    currency: column(
      DataTypes.TEXT,
      z.string().refine((code) => CURRENCIES.has(code), 'Must be an ISO 4217 code in lower case.'),
      z.string(),
    )
      .default('usd')
      .meta({ example: 'usd' }),
    min_amount_cents: cents(1, MAX_CHARGE_CENTS).default(100),
    max_amount_cents: cents(1, MAX_CHARGE_CENTS).default(2_500_000),
    ...stamps,
  },
  derived: {
    timezone: derived(
      z.string().meta({
        description: 'Decides in which tax year a gift counts. A stored time zone that is not known reads as UTC.',
        example: 'America/New_York',
      }),
      'app.known_timezone(foundation_configs.timezone)',
    ),
  },
  constraints: {
    foundation_configs_one_per_organization: () => refuse.duplicate('This organization already has a foundation.'),
    foundation_configs_limits: () => invalid('max_amount_cents', 'Must not be less than min_amount_cents.'),
  },
}) {}
