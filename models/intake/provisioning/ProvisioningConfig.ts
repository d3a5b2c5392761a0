import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, json, oneOf, secret, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { line } from '../../fields.js';
import { isTemplate } from './address.js';
import { ON_LEAVE, PROVIDERS } from './vocabulary.js';

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/, 'Must be a domain.');

const template = z
  .string()
  .trim()
  .max(100)
  .refine(
    isTemplate,
    'Must contain at least one of {first}, {last}, {first_initial} and {last_initial}, and otherwise only letters, digits, dots, dashes and underscores.',
  );

const groups = z
  .array(z.string().regex(/^[!-~]{1,200}$/, 'Must be the address or the id of a group.'))
  .max(20)
  .refine((list) => new Set(list).size === list.length, 'Name each group once.');

const MAX_DEPARTMENT_LENGTH = 64;

const PAUSE_REASON = `(SELECT CASE WHEN x.rests_until IS NULL THEN 'credentials_refused' ELSE 'busy' END
  FROM account_provisioning_rests x WHERE x.organization_id = account_provisioning_configs.organization_id
   AND (x.rests_until IS NULL OR x.rests_until > now()))`;

/**
 * The office suite in which people get an account when they become members of the organization (spec:
 * AccountProvisioningConfig).
 */
export class ProvisioningConfig extends defineModel({
  table: 'account_provisioning_configs',
  subject: 'account_provisioning_config',
  columns: {
    ...tenantKeys,
    provider: oneOf(PROVIDERS),
    domain: column(DataTypes.TEXT, domain, z.string()).meta({ example: 'northern-star.example.org' }),
    address_template: column(DataTypes.TEXT, template, z.string()).meta({
      description:
        'Built from `{first}`, `{last}`, `{first_initial}` and `{last_initial}`. A number is appended if the address is taken.',
      example: '{first}.{last}',
    }),
    unit: column(DataTypes.TEXT, line(200), z.string()).nullable().default(null).meta({
      description: 'For the workspace suite, the path of an organizational unit; for the cloud office, a department.',
      example: '/Members',
    }),
    groups: json(groups).default([]).meta({
      description:
        'Groups that each account joins: addresses or ids for the workspace suite, ids for the cloud office.',
    }),
    credentials_encrypted: secret(),
    on_leave: oneOf(ON_LEAVE).default('keep').meta({
      description: 'What happens to the account of a member who loses access.',
    }),
    ...stamps,
  },
  derived: {
    waits: derived(
      z
        .enum(['credentials_refused', 'busy'])
        .nullable()
        .meta({ description: 'Why the provider is not called at the moment; null if it is.' }),
      PAUSE_REASON,
    ),
  },
  rule: {
    holds: ({ provider, unit }) =>
      unit == null || (provider === 'workspace_suite' ? unit.startsWith('/') : unit.length <= MAX_DEPARTMENT_LENGTH),
    field: 'unit',
    message: 'Must be a path that begins with a slash; for the cloud office, a department of at most 64 characters.',
  },
}) {}
