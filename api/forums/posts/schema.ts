import { z } from 'zod';
import { flag, idempotencyKey, line, moment, recordId, seenVersion } from '../../../models/fields.js';
import { markdownText } from '../../../models/forums/markdownText.js';
import { pageOf, pageQuery } from '../../http/pagination.js';
import { ForumParams, idempotencyDescription, reason } from '../fields.js';
import { attachmentIds, bodyFields, mentionFields, textFields } from '../textSchema.js';

const ThreadJson = z
  .object({
    ...textFields,
    title: z.string().nullable(),
    is_pinned: z.boolean(),
    is_locked: z.boolean(),
    comment_count: z.int(),
    last_activity_at: moment,
    is_unread: z.boolean().meta({
      description: 'Whether the thread had activity after you read it, or joined. False for people who are no members.',
    }),
  })
  .meta({ id: 'ForumThread' });
export const ThreadPage = pageOf(ThreadJson);
export const PostJson = ThreadJson.extend(bodyFields).meta({ id: 'ForumPost' });
export const WrittenPostJson = PostJson.extend(mentionFields).meta({ id: 'WrittenForumPost' });

export const PostParams = ForumParams.extend({ post_id: recordId });

export const ThreadFilters = z.object({
  ...pageQuery,
  author: recordId.optional().meta({ description: 'Id of a user.' }),
  unread: flag.optional(),
});

const title = line(200);
const body = markdownText(20_000).meta({ description: 'Markdown without HTML, tables and images.' });

export const PostCreate = z
  .object({
    title,
    body,
    attachments: attachmentIds,
    idempotency_key: idempotencyKey.optional().meta({ description: idempotencyDescription }),
  })
  .meta({ id: 'ForumPostCreate', example: { title: 'Keys for the house', body: 'Who has the *spare* keys?' } });

export const PostEdit = z
  .object({
    title: title.optional(),
    body: body.optional(),
    attachments: attachmentIds,
    reason,
    version: seenVersion,
  })
  .meta({ id: 'ForumPostEdit', example: { body: 'Who has the **spare** keys?', version: 1 } });

export const TextDelete = z.object({ reason }).meta({ id: 'ForumTextDelete' });

export const PinBody = z.object({ pinned: z.boolean().default(true) }).meta({ id: 'ForumPostPin' });
export const LockBody = z.object({ locked: z.boolean().default(true) }).meta({ id: 'ForumPostLock' });
