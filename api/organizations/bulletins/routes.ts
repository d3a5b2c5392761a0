import { editRow, lockForEdit } from '../../../models/database/model/change.js';
import { loadRow, readRow } from '../../../models/database/model/read.js';
import { toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { Bulletin } from '../../../models/organizations/bulletins/Bulletin.js';
import {
  createBulletin,
  editBulletin,
  publishNow,
  removeBulletin,
} from '../../../models/organizations/bulletins/changeBulletin.js';
import {
  restoreBulletin,
  dismissBulletin,
  listVisibleBulletins,
  listManagedBulletins,
  canSeeBulletin,
} from '../../../models/organizations/bulletins/readBulletins.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import {
  anyOfficer,
  anyone,
  anyRegionalAdmin,
  authorize,
  by,
  may,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  regionalAdminOfRegion,
} from '../../http/policy.js';
import { del, get, patch, post, type Route } from '../../http/routes.js';
import { BulletinCreate, BulletinEdit, BulletinFilters, BulletinJson, MemberPage, timesFromBody } from './schema.js';

export const bulletinPolicy = policy('bulletin', {
  /** Published bulletins that are addressed to the actor. */
  read: [anyone],
  /** Bulletins that the actor may write, in any state. */
  list: [nationalAdmin, anyRegionalAdmin, anyOfficer],
  write: [nationalAdmin, regionalAdminOfRegion, regionalAdminOfChapter, officerOfChapter],
});

const common = { access: 'tenant', tags: ['organizations'] } as const;
const reads = { ...common, rule: by(bulletinPolicy, 'read'), params: RowParams } as const;
const writes = { ...common, rule: by(bulletinPolicy, 'write'), params: RowParams } as const;
const IN_ORGANIZATION = '/api/organizations/:organization_id/bulletins/';
const { chapter_not_active } = organizationsErrors;

/**
 * Locks a bulletin that the actor may write. Returns 404 for a draft that the actor may not see, so that its existence
 * is not revealed.
 * @throws Refusal not_found, forbidden
 */
async function lockWritable(actor: Actor, id: string): Promise<Bulletin> {
  const bulletin = await lockForEdit(Bulletin, id);
  if (may(actor, bulletinPolicy, 'write', bulletin)) return bulletin;
  throw (await canSeeBulletin(id, actor.userId)) ? refuse.forbidden() : refuse.not_found();
}

/** Defines a route that performs an action on a bulletin that the actor may write. */
const actionRoute = (
  name: string,
  summary: string,
  work: (bulletin: Bulletin) => Promise<unknown>,
  description?: string,
): Route =>
  post(
    `/api/bulletins/:id/${name}/`,
    { ...writes, summary, ...(description && { description }), response: BulletinJson, errors: [chapter_not_active] },
    async ({ actor, params }) => {
      await work(await lockWritable(actor, params.id));
      return readRow(Bulletin, params.id);
    },
  );

export const bulletinRoutes: Route[] = [
  get(
    IN_ORGANIZATION,
    {
      ...common,
      summary: 'List the bulletins that you may write, newest first',
      rule: by(bulletinPolicy, 'list'),
      params: OrganizationParams,
      query: BulletinFilters,
      response: pageOf(BulletinJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, bulletinPolicy, 'list');
      const { isNationalAdmin, facts, regionalChapterIds, officerChapterIds } = actor;
      const within = isNationalAdmin
        ? null
        : { regions: facts.regions.map(({ id }) => id), chapters: [...regionalChapterIds, ...officerChapterIds] };
      const page = await listManagedBulletins({ within, state: query.state, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    IN_ORGANIZATION,
    {
      ...common,
      summary: 'Create a bulletin',
      description:
        'Officers write for their chapter, regional admins for their region and its chapters, organization admins for all. ' +
        'The response contains the sanitized `body_html`.',
      rule: by(bulletinPolicy, 'write'),
      params: OrganizationParams,
      body: BulletinCreate,
      response: BulletinJson,
      status: 201,
      errors: [chapter_not_active],
    },
    async ({ actor, body }) => {
      const target = {
        region_id: body.target_type === 'region' ? body.target : null,
        chapter_id: body.target_type === 'chapter' ? body.target : null,
      };
      authorize(actor, bulletinPolicy, 'write', target);
      const { title, body_html, target_type } = body;
      const fields = { title, body_html, target_type, ...timesFromBody(body) };
      return readRow(Bulletin, await createBulletin({ ...fields, ...target, author_id: actor.userId }));
    },
  ),

  get(
    '/api/bulletins/',
    {
      ...common,
      summary: 'List your bulletins, pinned ones first',
      operationId: 'listOwnBulletins',
      description:
        'Bulletins of your organization, regions and chapters that are published, not expired and not dismissed by you.',
      rule: by(bulletinPolicy, 'read'),
      query: MemberPage,
      response: pageOf(BulletinJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, bulletinPolicy, 'read');
      return presentPage(await listVisibleBulletins(actor.userId, pageRequest(query)), query, request, (row) => row);
    },
  ),

  get(
    '/api/bulletins/:id/',
    { ...reads, summary: 'Get a bulletin', response: BulletinJson },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'read');
      const bulletin = await loadRow(Bulletin, params.id);
      const writable = may(actor, bulletinPolicy, 'write', bulletin);
      if (!writable && !(await canSeeBulletin(params.id, actor.userId))) throw refuse.not_found();
      return readRow(Bulletin, params.id);
    },
  ),

  patch(
    '/api/bulletins/:id/',
    {
      ...writes,
      summary: 'Change a bulletin',
      description: 'People who were notified are not notified again, unless the bulletin is published again.',
      body: BulletinEdit,
      response: BulletinJson,
      errors: [refuse.stale_version, chapter_not_active],
    },
    async ({ actor, params, body }) => {
      const bulletin = await lockWritable(actor, params.id);
      await editBulletin(bulletin, { ...toColumns(Bulletin, body), ...timesFromBody(body) });
      return readRow(Bulletin, params.id);
    },
  ),

  del('/api/bulletins/:id/', { ...writes, summary: 'Remove a bulletin' }, async ({ actor, params }) => {
    await lockWritable(actor, params.id);
    await removeBulletin(params.id);
  }),

  actionRoute(
    'publish',
    'Publish a bulletin now',
    publishNow,
    'Repeating the request changes nothing. To publish later, set `publish_at`.',
  ),
  actionRoute(
    'unpublish',
    'Unpublish a bulletin',
    (bulletin) => editBulletin(bulletin, { publish_at: null }),
    'Unsent notifications are withdrawn, and unread ones are removed from the lists.',
  ),
  actionRoute('pin', 'Pin a bulletin', (bulletin) => editRow(bulletin, { is_pinned: true })),
  actionRoute('unpin', 'Unpin a bulletin', (bulletin) => editRow(bulletin, { is_pinned: false })),

  post(
    '/api/bulletins/:id/dismiss/',
    { ...reads, summary: 'Dismiss a bulletin for yourself', status: 204 },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'read');
      await dismissBulletin(params.id, actor.userId);
    },
  ),

  del(
    '/api/bulletins/:id/dismiss/',
    { ...reads, summary: 'Restore a dismissed bulletin' },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'read');
      await restoreBulletin(params.id, actor.userId);
    },
  ),
];
