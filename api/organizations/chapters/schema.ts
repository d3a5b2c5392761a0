import { z } from 'zod';
import { CHAPTER_STATUSES } from '../../../models/organizations/vocabulary.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { day, recordId, searchText, seenVersion, stamps, text } from '../fields.js';

export const ChapterParams = z.object({ id: recordId });

const status = z.enum(CHAPTER_STATUSES);

export const ChapterFilters = z.object({
  ...pageQuery,
  status: status.optional(),
  region: recordId.optional(),
  search: searchText.meta({ description: 'In name, designation, university and city.' }),
  ordering: ordering(
    { name: 'c.name', status: 'c.status', founded_date: 'c.founded_date', created_at: 'c.created_at' },
    'name',
    ['founded_date'],
  ),
});

const fields = {
  region: recordId.nullable().optional(),
  designation: text(50).nullable().optional().meta({ example: 'Alpha Beta' }),
  university: text(200).nullable().optional(),
  city: text(100).nullable().optional(),
  state: text(50).nullable().optional(),
  founded_date: day.nullable().optional(),
  status: status.optional(),
};

export const ChapterCreate = z.object({ name: text(200), ...fields }).meta({ id: 'ChapterCreate' });

export const ChapterEdit = z
  .object({ name: text(200).optional(), ...fields, version: seenVersion })
  .meta({ id: 'ChapterEdit', description: 'Only national admins change region and status.' });

export const ChapterJson = z
  .object({
    id: z.uuid(),
    organization: z.uuid(),
    region: z.uuid().nullable(),
    name: z.string(),
    designation: z.string().nullable(),
    university: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    founded_date: z.iso.date().nullable(),
    status,
    ...stamps,
  })
  .meta({ id: 'Chapter' });
