import { z } from 'zod';
import { REPORT_GROUPS, WAYS_IN, WAYS_OUT } from '../../../models/organizations/reports/memberReport.js';
import { pastDay } from '../memberships/schema.js';

const atItsEnd = (which: string) =>
  pastDay.meta({ description: `The ${which} day, at whose end the roster is counted.` });

export const MemberReportQuery = z
  .object({
    from: atItsEnd('first').meta({ example: '2025-08-31' }),
    to: atItsEnd('last').meta({ example: '2026-05-31' }),
    group_by: z.enum(REPORT_GROUPS).default('chapter').meta({
      description: 'Status is that of the day; chapter, region and year are those of now.',
    }),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'Must not be before from.' });

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
