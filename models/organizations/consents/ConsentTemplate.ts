import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, oneOf, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { line } from '../../fields.js';
import { richText } from '../bulletins/richText.js';
import { organizationsErrors } from '../errors.js';
import { CONSENT_METHODS } from '../vocabulary.js';

const CONSENT_AUDIENCES = ['applicants', 'members', 'officers'] as const;

const MOST_BYTES = 100 * 1024;
const plainText = z
  .string()
  .trim()
  .min(1, 'Must not be empty.')
  .refine((text) => Buffer.byteLength(text) <= MOST_BYTES, 'Must be 100 kB at most.')
  .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'Must be text.');

const ONE_BODY = 'Give the text once: as HTML or as plain text.';

/** SQL: whether the last version says what the draft says. */
const IS_PUBLISHED = `EXISTS (SELECT FROM consent_versions v
  WHERE v.organization_id = consent_templates.organization_id AND v.template_id = consent_templates.id
    AND v.number = consent_templates.published_version AND v.title = consent_templates.title
    AND v.method = consent_templates.method AND v.body_html IS NOT DISTINCT FROM consent_templates.body_html
    AND v.body_text IS NOT DISTINCT FROM consent_templates.body_text)`;

/** What an organization asks people to agree to: the draft of its next version. The published ones stay as they are. */
export class ConsentTemplate extends defineModel({
  table: 'consent_templates',
  subject: 'consent_template',
  columns: {
    ...tenantKeys,
    audience: oneOf(CONSENT_AUDIENCES).fixed().meta({
      description:
        'Members: whom a membership lets in. Officers: who leads a chapter. Applicants are asked where they apply.',
    }),
    title: column(DataTypes.TEXT, line(200), z.string()).meta({ example: 'Code of conduct' }),
    method: oneOf(CONSENT_METHODS).default('click'),
    body_html: column(DataTypes.TEXT, richText, z.string()).nullable(),
    body_text: column(DataTypes.TEXT, plainText, z.string()).nullable(),
    is_active: yesOrNo().default(true).meta({ description: 'Off: nobody is asked.' }),
    published_version: integer(1, 2_147_483_647).nullable().kept().meta({
      description: 'What is asked; null: nothing yet.',
    }),
    ...stamps,
  },
  derived: {
    state: derived(
      z.enum(['draft', 'published']).meta({ description: 'Draft: the text is not, or not yet, what is asked.' }),
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
