import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { config } from '../../../config.js';
import { column, oneOf, secret, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';

const PROVIDERS = ['aws_s3', 's3_compatible'] as const;
const SOURCES = ['manual', 'provisioned'] as const;

/**
 * Base URL of a storage: scheme, host and optional port, in the form to which the class `URL` normalizes it. http is
 * allowed only for hosts that the operator lists.
 */
const endpoint = z
  .string()
  .trim()
  .max(270)
  .refine(
    (text) => originOf(text) !== null,
    'Must be an origin: https://, a host and an optional port, without a path.',
  )
  .transform((text) => originOf(text) ?? text)
  .refine(isSecure, 'Must begin with https://.');

function originOf(text: string): string | null {
  if (!/^https?:\/\/[^\s?#@\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const { origin, pathname } = new URL(text);
  return pathname === '/' ? origin : null;
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:') || config.STORAGE_ALLOWED_HOSTS.includes(new URL(origin).host);
}

const region = z.string().regex(/^[a-z0-9-]{1,40}$/, 'Must be the name of a region.');
const bucket = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'Must be the name of a bucket.');
// No segment of the prefix may be `.` or `..`, because these would refer to a parent folder in URLs.
const prefix = z
  .string()
  .trim()
  .max(199)
  .regex(
    /^\/?(\w[\w.-]*(\/\w[\w.-]*)*\/?)?$/,
    'Must be words of letters, digits, dots, dashes and underscores, with slashes between.',
  )
  .transform((text) => text.replace(/^\//, '').replace(/(?<=[^/])$/, '/'));
const accessKeyId = z.string().regex(/^[\w.@:+=-]{1,128}$/, 'Must be the id of an access key.');

/**
 * A storage of the organization's own (spec: StorageConfig). Endpoint, bucket and prefix never change, because files
 * are stored there.
 */
export class StorageConfig extends defineModel({
  table: 'storage_configs',
  subject: 'storage_config',
  columns: {
    ...tenantKeys,
    provider: oneOf(PROVIDERS).fixed(),
    endpoint: column(DataTypes.TEXT, endpoint, z.string()).nullable().fixed().meta({
      description: 'The https origin of an `s3_compatible` storage. `aws_s3` has none.',
      example: 'https://files.example.org',
    }),
    region: column(DataTypes.TEXT, region, z.string()).meta({ example: 'eu-central-1' }),
    bucket: column(DataTypes.TEXT, bucket, z.string()).fixed().meta({ example: 'northern-star' }),
    prefix: column(DataTypes.TEXT, prefix, z.string()).default('').fixed().meta({
      description: 'Prefix of all object keys.',
      example: 'membership/',
    }),
    access_key_id: column(DataTypes.TEXT, accessKeyId, z.string()).meta({ example: 'AKIAIOSFODNN7EXAMPLE' }),
    secret_access_key_encrypted: secret(),
    source: oneOf(SOURCES).default('manual').serverSet(),
    is_active: yesOrNo().default(true).serverSet(),
    ...stamps,
  },
  derived: {
    files: derived(
      z.int().meta({ description: 'Number of files in this storage.' }),
      `(SELECT count(*)::int FROM stored_files f
         WHERE f.organization_id = storage_configs.organization_id AND f.storage_config_id = storage_configs.id)`,
    ),
  },
  rule: {
    holds: ({ provider, endpoint: at }) => (provider === 's3_compatible') === (at != null),
    field: 'endpoint',
    message: '`s3_compatible` needs an endpoint, `aws_s3` must not have one.',
  },
}) {}
