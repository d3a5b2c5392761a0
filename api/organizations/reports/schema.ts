import { z } from 'zod';
import { REPORT_GROUPS, ENTRY_KINDS, EXIT_KINDS } from '../../../models/organizations/reports/memberReport.js';
import { pastDay } from '../memberships/schema.js';

const dayWithDescription = (description: string) => pastDay.optional().meta({ description, example: '2025-08-31' });

export const MemberReportQuery = z.object({
  from: dayWithDescription('First day; members are counted at its end. Defaults to a year before the last day.'),
  to: dayWithDescription('Last day; defaults to today.'),
  group_by: z.enum(REPORT_GROUPS).default('chapter').meta({
    description: 'The status is that of the day; chapter, region and year are the current ones.',
  }),
});

const sums = <Way extends string>(ways: readonly Way[]) =>
  z.object(Object.fromEntries(ways.map((way) => [way, z.int()])) as Record<Way, z.ZodInt>);

const figures = {
  start: z
    .int()
    .meta({ description: 'Members at the end of the first day who are neither inactive nor disaffiliated.' }),
  in: sums(ENTRY_KINDS).meta({
    description: 'Members who joined since, by cause. A move between groups counts in both `out` and `in`.',
  }),
  out: sums(EXIT_KINDS).meta({ description: 'Members who left, by cause.' }),
  end: z.int().meta({ description: '`start` plus the sum of `in` minus the sum of `out`.' }),
};

export const MemberReportJson = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    group_by: z.enum(REPORT_GROUPS),
    groups: z.array(
      z.object({
        group: z.string().nullable().meta({ description: 'An id, a status or a year; null for members without one.' }),
        name: z.string().nullable(),
        ...figures,
      }),
    ),
    total: z.object(figures),
  })
  .meta({ id: 'MemberReport' });
