import { z } from 'zod';
import { idempotencyKey, recordId, seenVersion } from '../../../models/fields.js';
import { markdownText } from '../../../models/forums/markdownText.js';
import { idempotencyDescription, reason } from '../fields.js';
import { PostParams } from '../posts/schema.js';
import { attachmentIds, bodyFields, mentionFields, textFields } from '../textSchema.js';

export const CommentJson = z.object({ ...textFields, ...bodyFields }).meta({ id: 'ForumComment' });
export const WrittenCommentJson = CommentJson.extend(mentionFields).meta({ id: 'WrittenForumComment' });

export const CommentParams = PostParams.extend({ comment_id: recordId });

const body = markdownText(10_000).meta({ description: 'Markdown without HTML, tables and images.' });

export const CommentCreate = z
  .object({
    body,
    attachments: attachmentIds,
    idempotency_key: idempotencyKey.optional().meta({ description: idempotencyDescription }),
  })
  .meta({ id: 'ForumCommentCreate', example: { body: 'I have them.' } });

export const CommentEdit = z
  .object({ body: body.optional(), attachments: attachmentIds, reason, version: seenVersion })
  .meta({ id: 'ForumCommentEdit', example: { body: 'I had them.', version: 1 } });
