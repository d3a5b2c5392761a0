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
import { authorize, by } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { del, patch, post, routes } from '../../http/routes.js';
import { socialPostPolicy } from './policy.js';
import { PublishBody, SocialPostJson } from './schema.js';

const tags = ['organizations'];
const posts = resource(SocialPost, { policy: socialPostPolicy, tags });
const writes = { access: 'tenant', tags, rule: by(socialPostPolicy, 'write') } as const;

/** The organization's identity provider does not speak at the network in a person's name. */
const inPerson = { ...writes, confined: 'closed' } as const;

export const socialPostRoutes = routes('/api/organizations/:organization_id/social-posts', [
  posts.page({
    summary: 'What the organization says at the professional network, newest first',
    ordering: ordering({ created_at: 'social_posts.id' }, '-created_at'),
    filters: ['status'],
  }),
  posts.read({ summary: 'A post' }),
  post(
    '/',
    {
      ...writes,
      summary: 'Draft a post',
      description: 'It goes out through your own linked account, once you publish it.',
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
      summary: 'Change a post that is not on its way',
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
      summary: 'Remove a post that is not on its way',
      description: 'What is published stays listed; it is removed at the network.',
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
        'By its author, through their own linked account. Whether they still administer the organization is asked again ' +
        'when it goes out. One whose answer is lost is looked for at the network before anything is sent again; `unknown` ' +
        'means that it could not be found and may be there.',
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
