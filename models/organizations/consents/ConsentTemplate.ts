import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, oneOf, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { line } from '../../fields.js';
import { richText } from '../../richText.js';
import { organizationsErrors } from '../errors.js';
import { CONSENT_METHODS } from '../vocabulary.js';

const CONSENT_AUDIENCES = ['applicants', 'members', 'officers'] as const;

const MAX_BYTES = 100 * 1024;
const plainText = z
  .string()
  .trim()
  .min(1, 'Must not be empty.')
  .refine((text) => Buffer.byteLength(text) <= MAX_BYTES, 'Must be 100 kB at most.')
  .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'Must be text.');

const ONE_BODY = 'Give the text either as HTML or as plain text.';

/** SQL: whether the last published version has the same content as the draft. */
const IS_PUBLISHED = `EXISTS (SELECT FROM consent_versions v
  WHERE v.organization_id = consent_templates.organization_id AND v.template_id = consent_templates.id
    AND v.number = consent_templates.published_version AND v.title = consent_templates.title
    AND v.method = consent_templates.method AND v.body_html IS NOT DISTINCT FROM consent_templates.body_html
    AND v.body_text IS NOT DISTINCT FROM consent_templates.body_text)`;

/**
 * A text that an organization asks people to agree to. The row holds the draft of the next version; published versions
 * do not change.
 */
export class ConsentTemplate extends defineModel({
  table: 'consent_templates',
  subject: 'consent_template',
  columns: {
    ...tenantKeys,
    audience: oneOf(CONSENT_AUDIENCES).fixed().meta({
      description:
        'Members: people whose membership gives access. Officers: officers and presidents of a chapter. Applicants give consent in their application.',
    }),
    title: column(DataTypes.TEXT, line(200), z.string()).meta({ example: 'Code of conduct' }),
    method: oneOf(CONSENT_METHODS).default('click'),
    body_html: column(DataTypes.TEXT, richText, z.string()).nullable(),
    body_text: column(DataTypes.TEXT, plainText, z.string()).nullable(),
    is_active: yesOrNo().default(true).meta({ description: 'When false, people are not asked for this consent.' }),
    published_version: integer(1, 2_147_483_647).nullable().serverSet().meta({
      description: 'The version that people are asked to agree to. Null before the first publication.',
    }),
    ...stamps,
  },
  derived: {
    state: derived(
      z
        .enum(['draft', 'published'])
        .meta({ description: 'Draft: the text differs from the published version, or has not been published.' }),
      `CASE WHEN ${IS_PUBLISHED} THEN 'published' ELSE 'draft' END`,
    ),
  },
  rule: {
    holds: ({ body_html, body_text }) => (body_html == null) !== (body_text == null),
    field: 'body_html',
    message: ONE_BODY,
  },
  constraints: {
    consent_templates_one_body: () => invalid('body_html', ONE_BODY),
    consent_versions_template: organizationsErrors.consent_template_published,
    consent_version_stale: organizationsErrors.consent_version_stale,
    consent_not_given: organizationsErrors.consent_not_given,
    consent_name_missing: () => invalid('typed_name', 'Type your name.'),
  },
}) {}
