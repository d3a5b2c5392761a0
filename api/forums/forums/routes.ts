import { toColumns } from '../../../models/database/model/schemas.js';
import type { PageText } from '../../../models/database/page.js';
import { refuse } from '../../../models/errors.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { readForumSettings } from '../../../models/forums/forum-settings/updateForumSettings.js';
import {
  changeForum,
  createForum,
  lockForumRow,
  previewForumChange,
  removeForum,
} from '../../../models/forums/forums/changeForum.js';
import { Forum } from '../../../models/forums/forums/Forum.js';
import {
  type DiscoveredForumJson,
  type ForumJson as Shown,
  forumsStatement,
  listForums,
  readForum,
} from '../../../models/forums/forums/readForums.js';
import { requireVersion } from '../../../models/database/model/change.js';
import { pageAsText, pageRequest, presentPage } from '../../http/pagination.js';
import {
  anyone,
  authorize,
  authorizePerson,
  by,
  forumAdmin,
  forumReader,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  regionalAdminOfRegion,
} from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { inForum, readAndJoin } from '../access.js';
import { ForumParams, forums } from '../fields.js';
import { ForumChangedJson, ForumCreate, ForumEdit, ForumFilters, ForumJson, ForumPage } from './schema.js';

const forumPolicy = policy('forum', {
  list: [anyone],
  read: [forumReader],
  /** The setting `forum_creators` chooses one of the next two. */
  create: [nationalAdmin, regionalAdminOfRegion, regionalAdminOfChapter, officerOfChapter],
  createAsAdmin: [nationalAdmin],
  write: [forumAdmin],
});

const one = { ...forums, params: ForumParams };
const writes = { ...one, rule: by(forumPolicy, 'write') };

/** Leaves only what a person may know of a forum that they cannot read. */
const present = ({ id, name, description, access, ...forum }: Shown | DiscoveredForumJson) =>
  forum.my_role === null ? { id, name, description, access } : { id, name, description, access, ...forum };

export const forumRoutes = routes('/api/forums', [
  get(
    '/',
    {
      ...forums,
      summary: 'List the forums that you see, by name',
      rule: by(forumPolicy, 'list'),
      query: ForumFilters,
      response: ForumPage,
      singleMessageRead: {
        skipMemberships: true,
        statement: ({ query, userId }) => (query.discover ? null : forumsStatement(userId, pageRequest(query))),
        answer: ({ actor, query, request }, row) => {
          authorizePerson(actor, forumPolicy, 'list');
          return pageAsText(row as unknown as PageText, query, request);
        },
      },
    },
    async ({ actor, query, request }) => {
      authorize(actor, forumPolicy, 'list');
      const page = await listForums(actor.userId, query.discover === true, pageRequest(query));
      return presentPage(page, query, request, present);
    },
  ),

  post(
    '/',
    {
      ...forums,
      summary: 'Create a forum',
      description:
        'A forum belongs to a chapter, to a region, or to the organization. You become its admin. The setting `forum_creators` decides who may create forums.',
      rule: by(forumPolicy, 'create', 'createAsAdmin'),
      body: ForumCreate,
      response: ForumJson,
      status: 201,
    },
    async ({ actor, body }) => {
      const { forum_creators } = await readForumSettings();
      const fields = toColumns(Forum, body);
      authorize(actor, forumPolicy, forum_creators === 'admins' ? 'createAsAdmin' : 'create', {
        chapter_id: fields.chapter_id ?? null,
        region_id: fields.region_id ?? null,
      });
      return readForum(await createForum(fields, actor.userId), actor.userId);
    },
  ),

  get(
    '/:forum_id/',
    {
      ...one,
      summary: 'Get a forum',
      description:
        'The first read of an open forum makes you a member, if you are in its chapter, region or organization.',
      rule: by(forumPolicy, 'read'),
      response: ForumJson,
    },
    async ({ actor, params, request }) => {
      const access = await inForum(actor, params.forum_id, forumPolicy, 'read');
      return readAndJoin(actor, access, request, () => readForum(params.forum_id, actor.userId));
    },
  ),

  patch(
    '/:forum_id/',
    {
      ...writes,
      summary: 'Change a forum',
      description:
        'A stricter visibility and another region exclude people: send the change with `dry_run`, then with the `preview_hash` of the answer. Members of an open forum that becomes `invite_only` stay.',
      body: ForumEdit,
      response: ForumChangedJson,
      errors: [refuse.stale_version, refuse.preview_stale],
    },
    async ({ actor, params, body }) => {
      await inForum(actor, params.forum_id, forumPolicy, 'write');
      const forum = await lockForumRow(params.forum_id);
      await inForum(actor, params.forum_id, forumPolicy, 'write');
      const { dry_run, preview_hash, version, ...fields } = body;
      requireVersion(forum, version);
      const edit = toColumns(Forum, fields);
      if (dry_run) return previewForumChange(forum, edit);
      await changeForum(forum, edit, preview_hash);
      return readForum(params.forum_id, actor.userId);
    },
  ),

  del(
    '/:forum_id/',
    { ...writes, summary: 'Delete a forum without posts', errors: [forumErrors.forum_not_empty] },
    async ({ actor, params }) => {
      await inForum(actor, params.forum_id, forumPolicy, 'write');
      await removeForum(params.forum_id);
    },
  ),
]);
