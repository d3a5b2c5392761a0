import { editRow, lockForEdit } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import { ConsentTemplate } from '../../../models/organizations/consents/ConsentTemplate.js';
import { publishTemplate } from '../../../models/organizations/consents/publishTemplate.js';
import { listConsentingPeople, listVersions } from '../../../models/organizations/consents/readTemplates.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { ordering, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationRowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { get, patch, post, routes } from '../../http/routes.js';
import {
  ConsentPeopleFilters,
  ConsentPeopleJson,
  ConsentTemplateEdit,
  ConsentTemplateJson,
  ConsentVersionJson,
  PublishConsent,
  VersionPage,
} from './schema.js';

const consentTemplatePolicy = policy('consent template', { read: [nationalAdmin], write: [nationalAdmin] });

const tags = ['organizations'] as const;
const template = resource(ConsentTemplate, { policy: consentTemplatePolicy, tags });
const common = { access: 'tenant', tags, params: OrganizationRowParams } as const;
const reads = { ...common, rule: by(consentTemplatePolicy, 'read') } as const;
const writes = { ...common, rule: by(consentTemplatePolicy, 'write'), response: ConsentTemplateJson } as const;

export const consentTemplateRoutes = routes('/api/organizations/:organization_id/consent-templates', [
  template.page({
    summary: 'List consent templates',
    ordering: ordering({ title: 'consent_templates.title', created_at: 'consent_templates.created_at' }, 'title'),
    filters: ['audience'],
  }),
  template.create({
    summary: 'Create a draft of a consent template',
    description:
      'The body is HTML, sanitized like bulletins, or plain text. People are asked only after the template is published.',
  }),
  template.read({ summary: 'Get a consent template with the draft of its next version' }),

  patch(
    '/:id/',
    {
      ...writes,
      summary: 'Change the draft',
      description: 'Published versions do not change. `is_active` takes effect at once.',
      body: ConsentTemplateEdit,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      authorize(actor, consentTemplatePolicy, 'write');
      // HTML and plain text exclude each other: setting one clears the other.
      const other = {
        ...(body.body_html != null && { body_text: null }),
        ...(body.body_text != null && { body_html: null }),
      };
      await editRow(await lockForEdit(ConsentTemplate, params.id), { ...other, ...body });
      return readRow(ConsentTemplate, params.id);
    },
  ),

  template.remove({
    summary: 'Remove a draft that was never published',
    errors: [organizationsErrors.consent_template_published],
  }),

  post(
    '/:id/publish/',
    {
      ...writes,
      summary: 'Publish the draft as the next version',
      description: 'A published version can never be changed. People who agreed to an earlier version are asked again.',
      body: PublishConsent,
      errors: [refuse.stale_version, organizationsErrors.nothing_to_publish],
    },
    async ({ actor, params, body }) => {
      authorize(actor, consentTemplatePolicy, 'write');
      await publishTemplate(params.id, actor.userId, body.version);
      return readRow(ConsentTemplate, params.id);
    },
  ),

  get(
    '/:id/versions/',
    {
      ...reads,
      summary: 'List the published versions, newest first',
      operationId: 'listConsentVersions',
      query: VersionPage,
      response: pageOf(ConsentVersionJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, consentTemplatePolicy, 'read');
      await readRow(ConsentTemplate, params.id);
      return presentPage(await listVersions(params.id, pageRequest(query)), query, request, (row) => row);
    },
  ),

  get(
    '/:id/people/',
    {
      ...reads,
      summary: 'List the people whom the template asks, with their consent',
      operationId: 'listAskedPeople',
      query: ConsentPeopleFilters,
      response: ConsentPeopleJson,
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, consentTemplatePolicy, 'read');
      const { chapter, state } = query;
      const people = await listConsentingPeople({ templateId: params.id, chapter, state, ...pageRequest(query) });
      const { due, given } = people;
      return { ...presentPage(people, query, request, (row) => row), due, given };
    },
  ),
]);
