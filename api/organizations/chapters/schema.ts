import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { recordId, searchText, text } from '../../../models/fields.js';
import { Chapter } from '../../../models/organizations/Chapter.js';
import { CHAPTER_STATUSES } from '../../../models/organizations/vocabulary.js';
import { ordering, pageQuery } from '../../http/pagination.js';

export const ChapterFilters = z.object({
  ...pageQuery,
  status: z.enum(CHAPTER_STATUSES).optional(),
  region: recordId.optional(),
  search: searchText.meta({ description: 'Searches name, designation, university and city.' }),
  ordering: ordering(
    {
      name: 'chapters.name',
      status: 'chapters.status',
      founded_date: 'chapters.founded_date',
      created_at: 'chapters.created_at',
    },
    'name',
    ['founded_date'],
  ),
});

export const ChapterCreate = createBody(Chapter);
export const ChapterEdit = editBody(Chapter)
  .extend({
    reason: text(1000).optional().meta({ description: 'Required when the status changes; stored in the audit log.' }),
  })
  .meta({ id: 'ChapterEdit' });
export const ChapterJson = rowJson(Chapter);
