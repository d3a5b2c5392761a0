import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { inputMoment, plannedMoment, recordId } from '../../../models/fields.js';
import { Bulletin, BULLETIN_STATES } from '../../../models/organizations/bulletins/Bulletin.js';
import { pageQuery } from '../../http/pagination.js';

export const BulletinJson = rowJson(Bulletin);

export const BulletinFilters = z.object({ ...pageQuery, state: z.enum(BULLETIN_STATES).optional() });

export const MemberPage = z.object(pageQuery);

const times = {
  publish_at: plannedMoment.nullable().optional().meta({
    description: 'Null: a draft. A future time: the bulletin is published and people are notified at that time.',
    example: '2026-09-01T08:00:00.000Z',
  }),
  expires_at: inputMoment
    .nullable()
    .optional()
    .meta({ description: 'Members no longer see the bulletin from this time on.' }),
};

export const BulletinCreate = createBody(Bulletin)
  .extend({
    target: recordId
      .nullable()
      .default(null)
      .meta({ description: 'Id of the region or chapter; null for the organization.' }),
    ...times,
  })
  .refine(({ target_type, target }) => (target_type === 'organization') === (target === null), {
    path: ['target'],
    message: 'Required for a region or chapter; must be null for the organization.',
  })
  .meta({
    id: 'BulletinCreate',
    example: {
      title: 'Rush begins on Monday',
      body_html: '<p>We meet <b>at noon</b>.</p>',
      target_type: 'chapter',
      target: '01900000-0000-7000-8000-000000000000',
    },
  });

export const BulletinEdit = editBody(Bulletin).extend(times).meta({ id: 'BulletinEdit' });

/** Converts the times of a body to column values; omitted times stay undefined, so that they do not change. */
export const timesFromBody = ({
  publish_at,
  expires_at,
}: {
  publish_at?: string | null | undefined;
  expires_at?: string | null | undefined;
}) => ({
  publish_at: toDate(publish_at),
  expires_at: toDate(expires_at),
});

const toDate = (at: string | null | undefined): Date | null | undefined => (at == null ? at : new Date(at));
