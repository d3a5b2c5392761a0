import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { givenMoment, momentToCome, recordId } from '../../../models/fields.js';
import { Bulletin, BULLETIN_STATES } from '../../../models/organizations/bulletins/Bulletin.js';
import { pageQuery } from '../../http/pagination.js';

export const BulletinJson = rowJson(Bulletin);

export const BulletinFilters = z.object({ ...pageQuery, state: z.enum(BULLETIN_STATES).optional() });

export const MemberPage = z.object(pageQuery);

const times = {
  publish_at: momentToCome.nullable().optional().meta({
    description: 'Null: a draft. A time to come: it is shown, and people are told, then.',
    example: '2026-09-01T08:00:00.000Z',
  }),
  expires_at: givenMoment.nullable().optional().meta({ description: 'From then on members see it no more.' }),
};

export const BulletinCreate = createBody(Bulletin)
  .extend({
    target: recordId.nullable().default(null).meta({ description: 'The region or chapter; null: the organization.' }),
    ...times,
  })
  .refine(({ target_type, target }) => (target_type === 'organization') === (target === null), {
    path: ['target'],
    message: 'Names the region or chapter, and nothing for the organization.',
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

/** A body's times as a row keeps them; what is left out stays. */
export const timesOf = ({
  publish_at,
  expires_at,
}: {
  publish_at?: string | null | undefined;
  expires_at?: string | null | undefined;
}) => ({
  publish_at: momentOf(publish_at),
  expires_at: momentOf(expires_at),
});

const momentOf = (at: string | null | undefined): Date | null | undefined => (at == null ? at : new Date(at));
