/** Policy, schemas and errors of flags and appeals, which the routes of posts and comments share. */
import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { moment, text } from '../../../models/fields.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { WRITING_ERRORS } from '../../../models/forums/writeText.js';
import { forumMember, forumReader, policy } from '../../http/policy.js';

export const flagPolicy = policy('forum flag', {
  write: [forumMember],
  /** Whether they are the author is part of the look-up. */
  appeal: [forumReader],
});

const FlagBody = z
  .object({
    reason: text(200).optional().meta({ description: 'In a few words.', example: 'Advertising' }),
    note: text(1000).optional().meta({ description: 'For moderators.' }),
  })
  .meta({ id: 'ForumFlagCreate', example: { reason: 'Advertising' } });
const FlagJson = z
  .object({ reason: z.string().nullable(), note: z.string().nullable(), created_at: moment })
  .meta({ id: 'ForumFlag' });

const AppealBody = z
  .object({ text: text(2000).meta({ description: 'Why the text should be published again.' }) })
  .meta({ id: 'ForumAppealCreate', example: { text: 'This is no advertising: the sale is for our house.' } });

const { text_deleted, text_not_removed, already_appealed, appeal_expired } = forumErrors;

/** Answer, errors and documentation of flagging a text, and of appealing against its removal. */
export const flags = {
  description:
    'Moderators decide. At most 60 flags an hour. You flag a text once; a repeated request is answered with 200.',
  body: FlagBody,
  response: FlagJson,
  status: 201,
  alsoStatus: [200],
  errors: [...WRITING_ERRORS, text_deleted, refuse.throttled],
};
export const appeals = {
  description: 'The author of a removed text, once, within 14 days. Another admin of the organization decides finally.',
  body: AppealBody,
  errors: [forumErrors.forum_archived, text_not_removed, already_appealed, appeal_expired],
};
