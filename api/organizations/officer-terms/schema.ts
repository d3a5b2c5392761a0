import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { day, flag, recordId } from '../../../models/fields.js';
import { OfficerTerm } from '../../../models/organizations/officer-terms/OfficerTerm.js';
import { POSITIONS } from '../../../models/organizations/vocabulary.js';
import { ordering, pageQuery } from '../../http/pagination.js';

export const OfficerTermJson = rowJson(OfficerTerm);

export const OfficerTermFilters = z.object({
  ...pageQuery,
  running: flag.optional(),
  ordering: ordering({ starts_on: 'officer_terms.starts_on' }, '-starts_on'),
});

export const OfficerTermCreate = createBody(OfficerTerm)
  .extend({ starts_on: day.optional().meta({ description: 'Today, if left out. A day to come: it is planned.' }) })
  .meta({ id: 'OfficerTermCreate' });

export const OfficerTermEdit = editBody(OfficerTerm)
  .extend({ ended_on: day.optional().meta({ description: 'Ends it, on that day or today.' }) })
  .meta({ id: 'OfficerTermEdit' });

export const HandOverBody = z
  .object({
    successor: recordId.meta({ description: 'A membership of the chapter, in active standing.' }),
    effective_on: day
      .optional()
      .meta({ description: 'Today, if left out. On a day to come the office goes over then.' }),
    ends_on: day.nullable().optional().meta({ description: 'When the new term is planned to end.' }),
  })
  .meta({ id: 'HandOver' });

export const SuccessionJson = z
  .object({
    terms: z.array(OfficerTermJson).meta({ description: 'Those that run.' }),
    vacancies: z.array(z.enum(POSITIONS)),
    open_work: z.array(z.object({ kind: z.string(), count: z.int(), path: z.string() })).meta({
      description: 'What waits for whoever follows, and where to see it.',
    }),
  })
  .meta({ id: 'Succession' });
