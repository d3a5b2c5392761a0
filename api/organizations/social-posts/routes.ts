import { createRow } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { createBody, editBody, toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { socialPostErrors } from '../../../models/organizations/social-posts/errors.js';
import { editPost, removePost } from '../../../models/organizations/social-posts/editPost.js';
import { publishPost, unschedulePost } from '../../../models/organizations/social-posts/publishPost.js';
import { SocialPost } from '../../../models/organizations/social-posts/SocialPost.js';
import { ordering } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { del, patch, post, routes } from '../../http/routes.js';
import { PublishBody, SocialPostJson } from './schema.js';

export const socialPostPolicy = policy('social post', { read: [nationalAdmin], write: [nationalAdmin] });

const tags = ['organizations'];
const posts = resource(SocialPost, { policy: socialPostPolicy, tags });
const writes = { access: 'tenant', tags, rule: by(socialPostPolicy, 'write') } as const;

/** A session begun by the organization's identity provider may not post to the network on behalf of a person. */
const inPerson = { ...writes, confined: 'closed' } as const;

export const socialPostRoutes = routes('/api/organizations/:organization_id/social-posts', [
  posts.page({
    summary: 'List posts on the professional network, newest first',
    ordering: ordering({ created_at: 'social_posts.id' }, '-created_at'),
    filters: ['status'],
  }),
  posts.read({ summary: 'Get a post' }),
  post(
    '/',
    {
      ...writes,
      summary: 'Draft a post',
      description: 'The post is published through your own linked account when you publish it.',
      params: OrganizationParams,
      body: createBody(SocialPost),
      response: SocialPostJson,
      status: 201,
    },
    async ({ actor, body }) => {
      authorize(actor, socialPostPolicy, 'write');
      const row = await createRow(SocialPost, { ...toColumns(SocialPost, body), author_id: actor.userId });
      return readRow(SocialPost, row.id);
    },
  ),
  patch(
    '/:id/',
    {
      ...inPerson,
      summary: 'Change a post',
      params: OrganizationRowParams,
      body: editBody(SocialPost),
      response: SocialPostJson,
      errors: [refuse.stale_version, socialPostErrors.social_post_not_yours, socialPostErrors.social_post_closed],
    },
    async ({ actor, params, body }) => {
      authorize(actor, socialPostPolicy, 'write');
      await editPost(params.id, actor.userId, toColumns(SocialPost, body));
      return readRow(SocialPost, params.id);
    },
  ),
  del(
    '/:id/',
    {
      ...writes,
      summary: 'Delete a post',
      description: 'Published posts stay listed; remove them on the network.',
      params: OrganizationRowParams,
      errors: [socialPostErrors.social_post_closed],
    },
    async ({ actor, params }) => {
      authorize(actor, socialPostPolicy, 'write');
      await removePost(params.id);
    },
  ),
  post(
    '/:id/publish/',
    {
      ...inPerson,
      summary: 'Publish a post, now or later',
      description:
        'Only the author may publish, through their own linked account. Whether they are still an admin is checked again ' +
        'when the post is sent. If the response of the network is lost, the post is searched for before it is sent again; `unknown` ' +
        'means that it was not found and may be published.',
      params: OrganizationRowParams,
      body: PublishBody,
      response: SocialPostJson,
      status: 202,
      errors: [
        refuse.stale_version,
        socialPostErrors.social_post_not_yours,
        socialPostErrors.social_account_missing,
        socialPostErrors.social_post_under_way,
        socialPostErrors.social_post_published,
        socialPostErrors.social_post_unknown,
      ],
    },
    async ({ actor, params, body }) => {
      authorize(actor, socialPostPolicy, 'write');
      const { publish_at: publishAt, again, version } = body;
      await publishPost(params.id, actor.userId, {
        publishAt: publishAt === undefined ? undefined : new Date(publishAt),
        again,
        version,
      });
      return readRow(SocialPost, params.id);
    },
  ),
  post(
    '/:id/unschedule/',
    {
      ...inPerson,
      summary: 'Make a scheduled post a draft again',
      params: OrganizationRowParams,
      response: SocialPostJson,
      errors: [socialPostErrors.social_post_not_yours, socialPostErrors.social_post_not_scheduled],
    },
    async ({ actor, params }) => {
      authorize(actor, socialPostPolicy, 'write');
      await unschedulePost(params.id, actor.userId);
      return readRow(SocialPost, params.id);
    },
  ),
]);
