import { found, refuse } from '../../../models/errors.js';
import { readConfig, replaceConfig } from '../../../models/organizations/completeness/config.js';
import {
  readChapterCompleteness,
  readCompleteness,
} from '../../../models/organizations/completeness/readCompleteness.js';
import { subjectOf } from '../../../models/organizations/lifecycle/history.js';
import { pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, put } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { completenessPolicy } from './policy.js';
import {
  ChapterCompletenessJson,
  CompletenessConfigJson,
  CompletenessConfigPut,
  CompletenessJson,
  CompletenessQuery,
} from './schema.js';

const CONFIG = '/api/organizations/:organization_id/completeness-config/';
const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const config = { ...tenant, rule: by(completenessPolicy, 'configure'), params: OrganizationParams } as const;

export const completenessRoutes = [
  get(
    CONFIG,
    {
      ...config,
      summary: 'Which fields make a member’s record complete',
      description: 'Version 0: nobody has changed what is built in.',
      operationId: 'getCompletenessConfig',
      response: CompletenessConfigJson,
    },
    async ({ actor }) => {
      authorize(actor, completenessPolicy, 'configure');
      return readConfig();
    },
  ),

  put(
    CONFIG,
    {
      ...config,
      summary: 'Replace them',
      description: 'It holds with the next reading. A field that is left out counts for nobody.',
      operationId: 'replaceCompletenessConfig',
      body: CompletenessConfigPut,
      response: CompletenessConfigJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, body }) => {
      authorize(actor, completenessPolicy, 'configure');
      return replaceConfig(body);
    },
  ),

  get(
    '/api/memberships/:id/completeness/',
    {
      ...tenant,
      summary: 'How complete a member’s record is',
      description: 'Names of fields, never what is in them. 100 where nothing is asked.',
      operationId: 'getMembershipCompleteness',
      rule: by(completenessPolicy, 'read'),
      params: RowParams,
      response: CompletenessJson,
    },
    async ({ actor, params }) => {
      authorize(actor, completenessPolicy, 'read', found(await subjectOf(params.id)));
      return { membership: params.id, ...(await readCompleteness(params.id)) };
    },
  ),

  get(
    '/api/chapters/:id/completeness/',
    {
      ...tenant,
      summary: 'How complete the records of a chapter’s members are',
      description: 'Of those of whom something is asked in their status.',
      operationId: 'listChapterCompleteness',
      rule: by(completenessPolicy, 'read_chapter'),
      params: RowParams,
      query: CompletenessQuery,
      response: ChapterCompletenessJson,
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, completenessPolicy, 'read_chapter', params.id);
      const { average, whole, ...page } = await readChapterCompleteness(params.id, {
        ...pageRequest(query),
        orderBy: query.ordering,
      });
      return { ...presentPage(page, query, request, (row) => row), average, whole };
    },
  ),
];
