/** Parameters, fields and errors that the routes of forums share. */
import { z } from 'zod';
import { recordId } from '../../models/fields.js';
import { MEMBER_ROLES } from '../../models/forums/vocabulary.js';
import { forumErrors } from '../../models/forums/errors.js';

export const forums = { access: 'tenant', tags: ['forums'] } as const;
export const ForumParams = z.object({ forum_id: recordId });

/** Errors of changes of members. */
export const { forum_archived, last_forum_admin } = forumErrors;

/** Fields of a person in the lists of a forum. */
export const person = { id: z.uuid(), user: z.uuid(), first_name: z.string(), last_name: z.string() };
export const memberRole = z.enum(MEMBER_ROLES);

/** Why a moderator changes or deletes another person's text. */
export const reason = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .optional()
  .meta({ description: "Required of a moderator for another person's text.", example: 'Off topic.' });

export const idempotencyDescription =
  'Repeat a request with the same key if you do not know whether it arrived: the text is written once.';
