import { z } from 'zod';
import { REPORT_GROUPS, WAYS_IN, WAYS_OUT } from '../../../models/organizations/reports/memberReport.js';
import { pastDay } from '../memberships/schema.js';

const atItsEnd = (says: string) => pastDay.optional().meta({ description: says, example: '2025-08-31' });

export const MemberReportQuery = z.object({
  from: atItsEnd('The first day, at whose end the roster is counted; left out: a year before the last.'),
  to: atItsEnd('The last day; left out: today.'),
  group_by: z.enum(REPORT_GROUPS).default('chapter').meta({
    description: 'Status is that of the day; chapter, region and year are those of now.',
  }),
});

const sums = <Way extends string>(ways: readonly Way[]) =>
  z.object(Object.fromEntries(ways.map((way) => [way, z.int()])) as Record<Way, z.ZodInt>);

const figures = {
  start: z
    .int()
    .meta({ description: 'Who stood there at the end of the first day: neither inactive nor disaffiliated.' }),
  in: sums(WAYS_IN).meta({ description: 'Who came in since, by how. Who moves within a group goes out and comes in.' }),
  out: sums(WAYS_OUT).meta({ description: 'Who went out.' }),
  end: z.int().meta({ description: 'start with all of in and without all of out.' }),
};

export const MemberReportJson = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    group_by: z.enum(REPORT_GROUPS),
    groups: z.array(
      z.object({
        group: z.string().nullable().meta({ description: 'An id, a status or a year; null: those who have none.' }),
        name: z.string().nullable(),
        ...figures,
      }),
    ),
    total: z.object(figures),
  })
  .meta({ id: 'MemberReport' });
