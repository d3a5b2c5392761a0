import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, json, oneOf, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { email, line, recordId, text as typed } from '../../fields.js';
import { ATTACHMENT_KINDS, QUESTION_TYPES, ROUTED_EVENTS, ROUTED_ROLES, STANDARD_FIELDS } from './vocabulary.js';

const distinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length;
const CHOICES: ReadonlySet<string> = new Set(['single', 'multiple']);

export const Question = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Must consist of lowercase letters, digits and underscores.')
      .meta({ description: 'Stays the same when the wording changes.', example: 'why_join' }),
    label: line(300).meta({ example: 'Why do you want to join?' }),
    help: typed(1000).nullable().default(null),
    type: z.enum(QUESTION_TYPES),
    is_required: z.boolean().default(false),
    options: z.array(line(200)).max(50).default([]).meta({ description: 'Only for the types single and multiple.' }),
    minimum: z.number().min(-1e9).max(1e9).nullable().default(null).meta({
      description: 'Minimum of a number’s value, a text’s length, or the count of options for multiple.',
    }),
    maximum: z.number().min(-1e9).max(1e9).nullable().default(null),
    is_archived: z
      .boolean()
      .default(false)
      .meta({ description: 'No longer asked. Existing answers keep their wording.' }),
  })
  .refine(({ type, options }) => CHOICES.has(type) === options.length > 0, {
    path: ['options'],
    message: 'Required for single and multiple, not allowed for other types.',
  })
  .refine(({ options }) => distinct(options), { path: ['options'], message: 'Name each option once.' })
  .refine(({ minimum, maximum }) => minimum === null || maximum === null || minimum <= maximum, {
    path: ['maximum'],
    message: 'Must not be below the minimum.',
  })
  .meta({ id: 'ApplicationQuestion' });
export type Question = z.output<typeof Question>;

const Questions = z
  .array(Question)
  .max(100)
  .refine((list) => distinct(list.map(({ key }) => key)), 'Name each key once.');

const RequestedFile = z
  .strictObject({ kind: z.enum(ATTACHMENT_KINDS), is_required: z.boolean().default(false) })
  .meta({ id: 'ApplicationAttachment' });

const Route = z
  .strictObject({
    event: z.enum(ROUTED_EVENTS),
    roles: z.array(z.enum(ROUTED_ROLES)).max(ROUTED_ROLES.length).refine(distinct, 'Name each role once.').default([]),
    addresses: z.array(email).max(10).refine(distinct, 'Name each address once.').default([]),
  })
  .meta({
    id: 'ApplicationRoute',
    description: 'Recipients of an event. An event without a route goes to the officers.',
  });

/** The application form of an organization (spec: PNMApplicationConfig). The row is created with the first change. */
export class ApplicationConfig extends defineModel({
  table: 'pnm_application_configs',
  subject: 'pnm_application_config',
  columns: {
    id: tenantKeys.id.hidden(),
    organization_id: tenantKeys.organization_id,
    questions: json(Questions).default([]),
    required_fields: json(
      z.array(z.enum(STANDARD_FIELDS)).max(STANDARD_FIELDS.length).refine(distinct, 'Name each field once.'),
    ).default([]),
    attachments: json(
      z
        .array(RequestedFile)
        .max(ATTACHMENT_KINDS.length)
        .refine((list) => distinct(list.map(({ kind }) => kind)), 'Name each kind once.'),
    ).default([]),
    consents: json(z.array(recordId).max(20).refine(distinct, 'Name each template once.'))
      .default([])
      .meta({ description: 'Consent templates for applicants. Each consent is required.' }),
    introduction: text(5000).nullable().meta({ description: 'Text above the form.' }),
    confirmation: text(2000).nullable().meta({ description: 'Text that applicants see after submission.' }),
    minimum_gpa: column(DataTypes.DOUBLE, z.number().positive().max(100), z.number()).nullable(),
    gpa_scale: column(DataTypes.DOUBLE, z.number().min(1).max(100), z.number()).default(4),
    gpa_gate: oneOf(['flag', 'refuse'])
      .default('flag')
      .meta({ description: 'What happens to applications below the minimum.' }),
    reference_letters: integer(0, 5).default(0),
    reference_letter_days: integer(1, 90).default(21),
    verify_email: yesOrNo().default(true),
    notification_routing: json(
      z
        .array(Route)
        .max(ROUTED_EVENTS.length)
        .refine((list) => distinct(list.map(({ event }) => event)), 'Name each event once.'),
    ).default([]),
    version: stamps.version,
    created_at: stamps.created_at.hidden(),
    updated_at: stamps.updated_at.hidden(),
  },
  constraints: {
    pnm_application_configs_questions_check: () => invalid('questions', 'Must not exceed 200 kB in total.'),
    pnm_application_configs_gpa: () => invalid('minimum_gpa', 'Must be between 0 and gpa_scale.'),
  },
}) {}
