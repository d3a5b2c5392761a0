import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  cents,
  column,
  day,
  link,
  moment,
  name,
  oneOf,
  stamps,
  tenantKeys,
  text,
} from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { duplicateValue, invalid } from '../../errors.js';
import { cents as centsInAnswers } from '../../fields.js';
import { richText } from '../../richText.js';
import { MAX_CHARGE_CENTS } from '../../finances/attempts/chargeLimits.js';

const CAMPAIGN_STATUSES = ['draft', 'active', 'closed'] as const;
export const VISIBILITIES = ['internal', 'public'] as const;

const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/, 'Use 1 to 80 lower-case letters, digits and hyphens.');
const amounts = z
  .array(z.int().min(1).max(MAX_CHARGE_CENTS))
  .min(1)
  .max(8)
  .refine((list) => new Set(list).size === list.length, 'Must not contain an amount twice.');

/** A campaign: a call for gifts to one fund, with its own page. */
export class Campaign extends defineModel({
  table: 'campaigns',
  subject: 'campaign',
  columns: {
    ...tenantKeys,
    fund_id: link().as('fund'),
    title: name(200),
    description: column(DataTypes.TEXT, richText, z.string()).nullable(),
    goal_cents: cents(1).nullable(),
    starts_on: day().nullable(),
    ends_on: day().nullable(),
    slug: column(DataTypes.TEXT, slug, z.string()).meta({
      description: 'The last part of its address. It stays once the campaign is published.',
      example: 'spring-appeal',
    }),
    suggested_amounts: column(DataTypes.ARRAY(DataTypes.BIGINT), amounts, z.array(centsInAnswers)).meta({
      description: 'Cents.',
      example: [2500, 5000, 10_000],
    }),
    visibility: oneOf(VISIBILITIES).default('public'),
    hero_file_id: link().nullable().serverSet().hidden(),
    goods_description: text(500).nullable().meta({ description: 'What a donor receives in return.' }),
    goods_value_cents: cents(1).nullable().meta({ description: 'Its fair value, which the receipt states.' }),
    status: oneOf(CAMPAIGN_STATUSES).default('draft').serverSet(),
    published_at: moment().nullable(),
    closed_at: moment().nullable(),
    raised_cents: cents(0).default(0).serverSet().meta({ description: 'The sum of its gifts, less what went back.' }),
    ...stamps,
  },
  derived: {
    has_hero_image: derived(z.boolean(), 'campaigns.hero_file_id IS NOT NULL'),
  },
  constraints: {
    campaigns_slug_unique: duplicateValue('slug', 'Another campaign has this slug.'),
    campaigns_dates: () => invalid('ends_on', 'Must not be before starts_on.'),
    campaigns_goods: () => invalid('goods_value_cents', 'Give both the description and the value of the goods.'),
    campaigns_organization_id_fund_id_fkey: () => invalid('fund', 'There is no such fund.'),
  },
}) {}
