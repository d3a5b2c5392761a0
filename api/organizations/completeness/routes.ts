import { requireFound, refuse } from '../../../models/errors.js';
import { readConfig, replaceConfig } from '../../../models/organizations/completeness/config.js';
import {
  readChapterCompleteness,
  readCompleteness,
} from '../../../models/organizations/completeness/readCompleteness.js';
import { findMembershipSubject } from '../../../models/organizations/lifecycle/history.js';
import { pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, chapterManagers, nationalAdmin, policy, self } from '../../http/policy.js';
import { get, put } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import {
  ChapterCompletenessJson,
  CompletenessConfigJson,
  CompletenessConfigPut,
  CompletenessJson,
  CompletenessQuery,
} from './schema.js';

const completenessPolicy = policy('completeness', {
  read: [...chapterManagers, self],
  /** Completeness of all members of a chapter. */
  read_chapter: chapterManagers,
  configure: [nationalAdmin],
});

const CONFIG = '/api/organizations/:organization_id/completeness-config/';
const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const config = { ...tenant, rule: by(completenessPolicy, 'configure'), params: OrganizationParams } as const;

export const completenessRoutes = [
  get(
    CONFIG,
    {
      ...config,
      summary: 'Get the fields that make a member’s record complete',
      description: 'Version 0: the built-in default is unchanged.',
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
      summary: 'Replace the fields that make a record complete',
      description: 'Takes effect with the next request. Omitted fields are not required.',
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
      summary: 'Get the completeness of a member’s record',
      description: 'Returns names of fields, never their values. 100 percent if no fields are required.',
      operationId: 'getMembershipCompleteness',
      rule: by(completenessPolicy, 'read'),
      params: RowParams,
      response: CompletenessJson,
    },
    async ({ actor, params }) => {
      authorize(actor, completenessPolicy, 'read', requireFound(await findMembershipSubject(params.id)));
      return { membership: params.id, ...(await readCompleteness(params.id)) };
    },
  ),

  get(
    '/api/chapters/:id/completeness/',
    {
      ...tenant,
      summary: 'List the completeness of a chapter’s members',
      description: 'Lists members whose status requires at least one field.',
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
