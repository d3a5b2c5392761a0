import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { pageQuery } from '../../http/pagination.js';
import { moment, recordId, text } from '../../../models/fields.js';
import { ReferenceLetter } from '../../../models/intake/reference-letters/ReferenceLetter.js';

export const LetterJson = rowJson(ReferenceLetter);

export const LetterFilters = z.object(pageQuery);

const referee = createBody(ReferenceLetter).shape;

export const LetterCreate = z.strictObject(referee).meta({ id: 'ReferenceLetterCreate' });

export const LetterWaiver = z.strictObject({ reason: text(500) }).meta({ id: 'ReferenceLetterWaiver' });

export const NamedReferee = z
  .strictObject({
    ...referee,
    replaces: recordId
      .optional()
      .meta({ description: 'Id of the requested letter to replace. Its request is cancelled.' }),
  })
  .meta({ id: 'NamedReferee' });

export const LetterRequestJson = z
  .object({
    organization: z.string(),
    chapter: z.string(),
    applicant: z.string(),
    name: z.string().meta({ description: 'Name of the referee.' }),
    relation: z.string().nullable(),
    status: z.enum(['requested', 'submitted', 'declined']),
    expires_at: moment,
    is_file_refused: z.boolean().meta({ description: 'The file was infected and refused. Send another file.' }),
  })
  .meta({ id: 'AskedLetter' });

export const LetterText = z.strictObject({ text: text(10_000) }).meta({ id: 'ReferenceLetterText' });
