/** Fields that posts and comments share in answers. */
import { z } from 'zod';
import { moment, version } from '../../models/fields.js';
import { DELETIONS } from '../../models/forums/vocabulary.js';

export const textFields = {
  id: z.uuid(),
  author: z
    .object({ id: z.uuid(), first_name: z.string(), last_name: z.string() })
    .nullable()
    .meta({ description: 'Null for a deleted text.' }),
  deletion: z
    .enum(DELETIONS)
    .nullable()
    .meta({ description: 'Who deleted the text. A deleted text stays as a placeholder without content.' }),
  created_at: moment,
  edited_at: moment.nullable(),
  version,
};

export const bodyFields = {
  body: z.string().nullable().meta({ description: 'The Markdown.' }),
  body_html: z.string().nullable().meta({ description: 'The body as sanitized HTML.' }),
};
