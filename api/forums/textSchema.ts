/** Fields that posts and comments share in answers. */
import { z } from 'zod';
import { moment, recordId, version } from '../../models/fields.js';
import { MAX_ATTACHMENTS } from '../../models/forums/attachments/changeAttachments.js';
import { MENTION_REASONS } from '../../models/forums/mentions/mentions.js';
import { ATTACHMENT_KINDS, ATTACHMENT_STATUSES, DELETIONS, TEXT_STATUSES } from '../../models/forums/vocabulary.js';

export const author = z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() });

export const textFields = {
  id: z.uuid(),
  author: author.nullable().meta({ description: 'Null for a deleted text.' }),
  deletion: z
    .enum(DELETIONS)
    .nullable()
    .meta({ description: 'Who deleted the text. A deleted text stays as a placeholder without content.' }),
  status: z.enum(TEXT_STATUSES).meta({
    description:
      '`pending_review`: a rule flagged it. `hidden`: members flagged it. Its author and moderators see it until a moderator decides.',
  }),
  created_at: moment,
  edited_at: moment.nullable(),
  version,
};

export const AttachmentJson = z
  .object({
    id: z.uuid(),
    kind: z.enum(ATTACHMENT_KINDS),
    file_name: z.string(),
    size_bytes: z.int().meta({ description: 'Size of the stored file: images are drawn anew.' }),
    status: z.enum(ATTACHMENT_STATUSES).meta({
      description: '`processing`: the file is being scanned. `refused`: it was infected, and is removed.',
    }),
    url: z.string().nullable().meta({
      description:
        'Where everybody downloads the file for five minutes. Only in the answer to GET of one post or comment, for a `ready` file.',
    }),
    url_expires_at: moment.nullable(),
  })
  .meta({ id: 'ForumAttachment' });

/** Ids of uploads that a text has. */
export const attachmentIds = z
  .array(recordId)
  .max(MAX_ATTACHMENTS)
  .optional()
  .meta({ description: 'Ids of your uploads to this forum, in the order in which they are shown.' });

export const bodyFields = {
  body: z.string().nullable().meta({ description: 'The Markdown.' }),
  body_html: z.string().nullable().meta({ description: 'The body as sanitized HTML.' }),
  attachments: z.array(AttachmentJson),
};

/** In the answer to the author of a new or changed text. */
export const mentionFields = {
  mentions: z
    .array(
      z.object({
        username: z.string(),
        user: z.uuid().nullable(),
        notified: z.boolean().meta({ description: 'Whether the person has a notification of the text.' }),
        reason: z.enum(MENTION_REASONS).nullable(),
      }),
    )
    .meta({ description: 'The people whom the text names.' }),
};
