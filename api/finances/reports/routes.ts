import { z } from 'zod';
import { cents, day } from '../../../models/fields.js';
import { readDuesSettings } from '../../../models/finances/dues-settings/duesSettings.js';
import { PAYER_TYPES } from '../../../models/finances/invoices/ChapterInvoice.js';
import {
  DUES_REPORT_GROUPS,
  DUES_SUMS,
  type DuesReportRow,
  reportDues,
} from '../../../models/finances/reports/duesReport.js';
import { csvAnswer, formatField } from '../../http/csvAnswer.js';
import { OrganizationParams } from '../../http/params.js';
import { by, chaptersWithin, nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { reportSpan } from '../../organizations/reports/reportSpan.js';
import { GROUP_COLUMNS, numberColumn, reportTable } from '../../organizations/reports/table.js';
import { finances } from '../fields.js';

const DuesReportQuery = z.object({
  from: day.optional().meta({ description: 'First day of issue. Defaults to a year before the last day.' }),
  to: day.optional().meta({ description: "Last day of issue; defaults to the organization's current date." }),
  group_by: z.enum(DUES_REPORT_GROUPS).default('chapter').meta({ description: 'The month is that of the issue.' }),
  payer_type: z.enum(PAYER_TYPES).optional(),
  format: formatField,
});

const figures = {
  invoices: z.int().meta({ description: 'Number of invoices, without void ones.' }),
  ...(Object.fromEntries(DUES_SUMS.map((sum) => [sum, cents])) as Record<(typeof DUES_SUMS)[number], typeof cents>),
};

const DuesReportJson = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    group_by: z.enum(DUES_REPORT_GROUPS),
    currency: z.string(),
    groups: z.array(
      z.object({
        group: z
          .string()
          .nullable()
          .meta({ description: 'An id, a month or a status; null for invoices without one.' }),
        name: z.string().nullable(),
        ...figures,
      }),
    ),
    total: z.object(figures),
  })
  .meta({ id: 'DuesReport' });

/** Regional admins see the chapters of their region. */
const duesReportPolicy = policy('dues report', { read: [nationalAdmin, regionalAdminOfChapter] });

const COLUMNS = [
  ...GROUP_COLUMNS,
  ...(['invoices', ...DUES_SUMS] as const).map((name) => numberColumn<DuesReportRow>(name, (row) => row[name])),
];

export const duesReportRoutes = [
  get(
    '/api/organizations/:organization_id/reports/dues/',
    {
      ...finances,
      summary: 'Sum the invoices issued within a time span',
      description:
        'Void invoices are left out; amounts are the present ones. Covers all chapters for admins of the organization, and their chapters for regional admins.',
      operationId: 'getDuesReport',
      rule: by(duesReportPolicy, 'read'),
      params: OrganizationParams,
      query: DuesReportQuery,
      response: DuesReportJson,
      textResponse: 'text/csv',
    },
    async ({ actor, query }) => {
      const chapters = chaptersWithin(actor, duesReportPolicy, 'read');
      const { group_by, payer_type: payerType, format } = query;
      const span = await reportSpan(query);
      const { currency } = await readDuesSettings();
      const report = await reportDues({ ...span, groupBy: group_by, payerType, chapters });
      if (format === 'json') return { ...span, group_by, currency, ...report };
      return csvAnswer(`dues-${span.from}-${span.to}`, reportTable(COLUMNS, report.groups));
    },
  ),
];
