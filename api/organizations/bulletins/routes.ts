import { editRow, lockRow } from '../../../models/database/model/change.js';
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
  bringBackBulletin,
  dismissBulletin,
  listFor,
  listManaged,
  maySee,
} from '../../../models/organizations/bulletins/readBulletins.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { del, get, patch, post, type Route } from '../../http/routes.js';
import { bulletinPolicy } from './policy.js';
import { BulletinCreate, BulletinEdit, BulletinFilters, BulletinJson, MemberPage, timesOf } from './schema.js';

const common = { access: 'tenant', tags: ['organizations'] } as const;
const reads = { ...common, rule: by(bulletinPolicy, 'read'), params: RowParams } as const;
const writes = { ...common, rule: by(bulletinPolicy, 'write'), params: RowParams } as const;
const IN_ORGANIZATION = '/api/organizations/:organization_id/bulletins/';
const { chapter_not_active } = organizationsErrors;

/** Locks one that the actor may write; of another's draft nobody learns that it is there. @throws Refusal not_found, forbidden */
async function lockWritable(actor: Actor, id: string): Promise<Bulletin> {
  const bulletin = await lockRow(Bulletin, id);
  if (may(actor, bulletinPolicy, 'write', bulletin)) return bulletin;
  throw (await maySee(id, actor.userId)) ? refuse.forbidden() : refuse.not_found();
}

/** A verb on one that the actor may write. */
const verb = (
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
      summary: 'The bulletins that you may write, newest first: all of them for admins, dismissed or not',
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
      const page = await listManaged({ within, state: query.state, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    IN_ORGANIZATION,
    {
      ...common,
      summary: 'Write a bulletin',
      description:
        'Officers for their chapter, regional admins for their region and its chapters, organization admins for all. ' +
        'What is kept of `body_html` is in the answer.',
      rule: by(bulletinPolicy, 'write'),
      params: OrganizationParams,
      body: BulletinCreate,
      response: BulletinJson,
      status: 201,
      errors: [chapter_not_active],
    },
    async ({ actor, body }) => {
      const of = {
        region_id: body.target_type === 'region' ? body.target : null,
        chapter_id: body.target_type === 'chapter' ? body.target : null,
      };
      authorize(actor, bulletinPolicy, 'write', of);
      const { title, body_html, target_type } = body;
      const said = { title, body_html, target_type, ...timesOf(body) };
      return readRow(Bulletin, await createBulletin({ ...said, ...of, author_id: actor.userId }));
    },
  ),

  get(
    '/api/bulletins/',
    {
      ...common,
      summary: 'Bulletins for you, pinned ones first',
      operationId: 'listOwnBulletins',
      description: 'Of your organization, regions and chapters: published, not expired, and not dismissed by you.',
      rule: by(bulletinPolicy, 'read'),
      query: MemberPage,
      response: pageOf(BulletinJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, bulletinPolicy, 'read');
      return presentPage(await listFor(actor.userId, pageRequest(query)), query, request, (row) => row);
    },
  ),

  get('/api/bulletins/:id/', { ...reads, summary: 'A bulletin', response: BulletinJson }, async ({ actor, params }) => {
    authorize(actor, bulletinPolicy, 'read');
    const bulletin = await loadRow(Bulletin, params.id);
    const writable = may(actor, bulletinPolicy, 'write', bulletin);
    if (!writable && !(await maySee(params.id, actor.userId))) throw refuse.not_found();
    return readRow(Bulletin, params.id);
  }),

  patch(
    '/api/bulletins/:id/',
    {
      ...writes,
      summary: 'Change a bulletin',
      description: 'Whoever was told of it is not told again, unless it is published anew.',
      body: BulletinEdit,
      response: BulletinJson,
      errors: [refuse.stale_version, chapter_not_active],
    },
    async ({ actor, params, body }) => {
      const bulletin = await lockWritable(actor, params.id);
      await editBulletin(bulletin, { ...toColumns(Bulletin, body), ...timesOf(body) });
      return readRow(Bulletin, params.id);
    },
  ),

  del('/api/bulletins/:id/', { ...writes, summary: 'Remove a bulletin' }, async ({ actor, params }) => {
    await lockWritable(actor, params.id);
    await removeBulletin(params.id);
  }),

  verb('publish', 'Publish a bulletin now', publishNow, 'Again changes nothing. For later, set `publish_at`.'),
  verb(
    'unpublish',
    'Make a draft of a bulletin',
    (bulletin) => editBulletin(bulletin, { publish_at: null }),
    'What was not sent is not, and what nobody has read leaves the lists of notifications.',
  ),
  verb('pin', 'Show a bulletin before others', (bulletin) => editRow(bulletin, { is_pinned: true })),
  verb('unpin', 'Show a bulletin by its date', (bulletin) => editRow(bulletin, { is_pinned: false })),

  post(
    '/api/bulletins/:id/dismiss/',
    { ...reads, summary: 'Put a bulletin away for yourself', status: 204 },
    async ({ actor, params }) => {
      authorize(actor, bulletinPolicy, 'read');
      await dismissBulletin(params.id, actor.userId);
    },
  ),

  del('/api/bulletins/:id/dismiss/', { ...reads, summary: 'Bring a bulletin back' }, async ({ actor, params }) => {
    authorize(actor, bulletinPolicy, 'read');
    await bringBackBulletin(params.id, actor.userId);
  }),
];
