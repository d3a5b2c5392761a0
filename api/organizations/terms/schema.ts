import { z } from 'zod';
import { ordering, pageQuery } from '../../http/pagination.js';
import { day, recordId, seenVersion, stamps, text } from '../fields.js';

export const TermParams = z.object({ id: recordId, term_id: recordId });

export const TermFilters = z.object({
  ...pageQuery,
  ordering: ordering({ starts_on: 't.starts_on', name: 't.name' }, '-starts_on'),
});

export const TermCreate = z
  .object({
    name: text(100).meta({ example: 'Fall 2026' }),
    starts_on: day.meta({ example: '2026-08-15' }),
    ends_on: day.meta({ example: '2026-12-20' }),
  })
  .refine(({ starts_on, ends_on }) => starts_on < ends_on, { path: ['ends_on'], message: 'Must be after starts_on.' })
  .meta({ id: 'TermCreate', description: 'Terms of an organization do not overlap; both days belong to the term.' });

export const TermEdit = z
  .object({ name: text(100).optional(), starts_on: day.optional(), ends_on: day.optional(), version: seenVersion })
  .meta({ id: 'TermEdit' });

export const TermJson = z
  .object({
    id: z.uuid(),
    organization: z.uuid(),
    name: z.string(),
    starts_on: z.iso.date(),
    ends_on: z.iso.date(),
    is_current: z.boolean().meta({ description: "Whether today is one of its days, in the organization's time zone." }),
    ...stamps,
  })
  .meta({ id: 'Term' });
