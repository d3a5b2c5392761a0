import { editRow, lockRow } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import { ConsentTemplate } from '../../../models/organizations/consents/ConsentTemplate.js';
import { publishTemplate } from '../../../models/organizations/consents/publishTemplate.js';
import { listAskedPeople, listVersions } from '../../../models/organizations/consents/readTemplates.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { ordering, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationRowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { get, patch, post, routes } from '../../http/routes.js';
import { consentTemplatePolicy } from './policy.js';
import {
  AskedFilters,
  AskedPeopleJson,
  ConsentTemplateEdit,
  ConsentTemplateJson,
  ConsentVersionJson,
  PublishConsent,
  VersionPage,
} from './schema.js';

const tags = ['organizations'] as const;
const template = resource(ConsentTemplate, { policy: consentTemplatePolicy, tags });
const common = { access: 'tenant', tags, params: OrganizationRowParams } as const;
const reads = { ...common, rule: by(consentTemplatePolicy, 'read') } as const;
const writes = { ...common, rule: by(consentTemplatePolicy, 'write'), response: ConsentTemplateJson } as const;

export const consentTemplateRoutes = routes('/api/organizations/:organization_id/consent-templates', [
  template.page({
    summary: 'What the organization asks people to agree to',
    ordering: ordering({ title: 'consent_templates.title', created_at: 'consent_templates.created_at' }, 'title'),
    filters: ['audience'],
  }),
  template.create({
    summary: 'Draft what people are asked to agree to',
    description:
      'As HTML, of which is kept what bulletins keep, or as plain text. Nobody is asked before it is published.',
  }),
  template.read({ summary: 'A consent template: the draft of its next version' }),

  patch(
    '/:id/',
    {
      ...writes,
      summary: 'Change the draft',
      description: 'What is published stays as it is; `is_active` holds at once.',
      body: ConsentTemplateEdit,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      authorize(actor, consentTemplatePolicy, 'write');
      // One takes the place of the other.
      const other = {
        ...(body.body_html != null && { body_text: null }),
        ...(body.body_text != null && { body_html: null }),
      };
      await editRow(await lockRow(ConsentTemplate, params.id), { ...other, ...body });
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
      description: 'It stays as it is for good. Whoever agreed to an earlier one is asked again.',
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
      summary: 'The published versions, the newest first',
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
      summary: 'Whom it asks, and who has agreed to what is asked',
      operationId: 'listAskedPeople',
      query: AskedFilters,
      response: AskedPeopleJson,
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, consentTemplatePolicy, 'read');
      const { chapter, state } = query;
      const found = await listAskedPeople({ templateId: params.id, chapter, state, ...pageRequest(query) });
      const { due, given } = found;
      return { ...presentPage(found, query, request, (row) => row), due, given };
    },
  ),
]);
