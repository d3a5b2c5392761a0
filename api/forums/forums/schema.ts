import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { flag, previewHash } from '../../../models/fields.js';
import { Forum } from '../../../models/forums/forums/Forum.js';
import { COUNTED_THREADS, FORUM_ACCESSES } from '../../../models/forums/forums/readForums.js';
import { FORUM_ROLES } from '../../../models/forums/vocabulary.js';
import { pageOf, pageQuery } from '../../http/pagination.js';

const { id, name, description, chapter, region, visibility, is_archived, member_count, version } = rowJson(Forum).shape;

const access = z.enum(FORUM_ACCESSES).meta({
  description:
    '`member`: you are a member, or hold an office over the forum. `open`: you read it. `requestable`: you may request to join. `requested`: your request waits. `invited`: you have an open invitation.',
});

export const ForumJson = z
  .object({
    id,
    name,
    description,
    chapter,
    region,
    visibility,
    is_archived,
    member_count,
    unread_count: z.int().meta({
      description: `Threads with activity after you read them, or joined, among the ${COUNTED_THREADS} latest active ones. 0 for people who are no members.`,
    }),
    my_role: z.enum(FORUM_ROLES).meta({ description: 'Your role, also by an office.' }),
    access,
    version,
  })
  .meta({ id: 'Forum' });

const DiscoveredForumJson = z
  .object({ id, name, description, access })
  .meta({ id: 'DiscoveredForum', description: 'A forum that you cannot read.' });

export const ForumPage = pageOf(z.union([ForumJson, DiscoveredForumJson]));

export const ForumFilters = z.object({
  ...pageQuery,
  discover: flag.optional().meta({
    description:
      'Also lists forums that you may request to join, or were invited to, with `id`, `name`, `description` and `access`.',
  }),
});

export const ForumCreate = z.object(createBody(Forum).shape).meta({
  id: 'ForumCreate',
  example: { name: 'Housing', chapter: '01900000-0000-7000-8000-000000000000', visibility: 'open' },
});

export const ForumEdit = editBody(Forum)
  .extend({
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with a preview and change nothing.' }),
    preview_hash: previewHash.optional().meta({
      description: 'Required for a change that excludes people: a stricter visibility, or another region.',
    }),
  })
  .meta({ id: 'ForumEdit', example: { name: 'Housing and meals', version: 1 } });

const ForumPreviewJson = z
  .object({
    ends: z
      .array(z.object({ user: z.uuid(), first_name: z.string(), last_name: z.string() }))
      .meta({ description: 'Members who lose their membership, at most 500.' }),
    ends_count: z.int(),
    preview_hash: z.string(),
  })
  .meta({ id: 'ForumPreview' });

export const ForumChangedJson = z
  .union([ForumJson, ForumPreviewJson])
  .meta({ id: 'ForumChanged', description: 'With `dry_run` the preview, otherwise the forum.' });
