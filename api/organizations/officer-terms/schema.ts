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
  .extend({
    starts_on: day.optional().meta({ description: 'Defaults to today. A future day creates a planned term.' }),
  })
  .meta({ id: 'OfficerTermCreate' });

export const OfficerTermEdit = editBody(OfficerTerm)
  .extend({ ended_on: day.optional().meta({ description: 'Ends the term on that day.' }) })
  .meta({ id: 'OfficerTermEdit' });

export const HandOverBody = z
  .object({
    successor: recordId.meta({ description: 'A membership of the chapter, in active standing.' }),
    effective_on: day
      .optional()
      .meta({ description: 'Defaults to today. On a future day the office is handed over then.' }),
    ends_on: day.nullable().optional().meta({ description: 'Planned end of the new term.' }),
  })
  .meta({ id: 'HandOver' });

export const SuccessionJson = z
  .object({
    terms: z.array(OfficerTermJson).meta({ description: 'Running terms.' }),
    vacancies: z.array(z.enum(POSITIONS)),
    open_work: z.array(z.object({ kind: z.string(), count: z.int(), path: z.string() })).meta({
      description: 'Work that is pending for the successor, and the path where it is listed.',
    }),
  })
  .meta({ id: 'Succession' });
