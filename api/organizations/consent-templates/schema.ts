import { z } from 'zod';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { moment, recordId, seenVersion } from '../../../models/fields.js';
import { ConsentTemplate } from '../../../models/organizations/consents/ConsentTemplate.js';
import { CONSENT_METHODS } from '../../../models/organizations/vocabulary.js';
import { CONSENT_STATES } from '../../../models/organizations/consents/readTemplates.js';
import { pageOf, pageQuery } from '../../http/pagination.js';

export const ConsentTemplateJson = rowJson(ConsentTemplate);

export const ConsentTemplateEdit = editBody(ConsentTemplate);

export const PublishConsent = z.object({ version: seenVersion }).meta({ id: 'PublishConsent' });

export const VersionPage = z.object(pageQuery);

export const ConsentVersionJson = z
  .object({
    version: z.int(),
    title: z.string(),
    method: z.enum(CONSENT_METHODS),
    body_html: z.string().nullable(),
    body_text: z.string().nullable(),
    text_hash: z.string().meta({ description: 'SHA-256 of the title, an empty line and the body, in UTF-8.' }),
    published_by: z.uuid().nullable(),
    published_at: moment,
  })
  .meta({ id: 'ConsentVersion' });

export const ConsentPeopleFilters = z.object({
  ...pageQuery,
  chapter: recordId.optional(),
  state: z.enum(CONSENT_STATES).optional(),
});

const ConsentPersonJson = z
  .object({
    user: z.uuid(),
    first_name: z.string(),
    last_name: z.string(),
    membership: z.uuid(),
    chapter: z.uuid(),
    state: z.enum(CONSENT_STATES),
    version: z.int().nullable().meta({ description: 'The version to which the person last agreed.' }),
    given_at: moment.nullable(),
    withdrawn_at: moment.nullable(),
  })
  .meta({ id: 'AskedPerson' });

export const ConsentPeopleJson = pageOf(ConsentPersonJson).extend({
  due: z.int().meta({ description: 'Number of all asked people whose consent is due.' }),
  given: z.int().meta({ description: 'Number of all asked people who have agreed.' }),
});
