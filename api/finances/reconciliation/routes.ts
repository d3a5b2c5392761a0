import {
  readReconciliation,
  type ReconciliationDay,
} from '../../../models/finances/reconciliation/readReconciliation.js';
import { csvAnswer } from '../../http/csvAnswer.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { ReconciliationJson, ReconciliationQuery, SUMS } from './schema.js';
import { reconciliationTable } from './table.js';

export const reconciliationPolicy = policy('reconciliation', { read: [nationalAdmin] });

const totalOf = (days: readonly ReconciliationDay[]) =>
  Object.fromEntries(SUMS.map((sum) => [sum, days.reduce((cents, one) => cents + one[sum], 0)])) as Record<
    (typeof SUMS)[number],
    number
  >;

export const reconciliationRoutes = routes('/api/organizations/:organization_id/reconciliation', [
  get(
    '/',
    {
      ...finances,
      summary: 'Daily movements at the payment providers, and the difference to our books',
      description:
        'From the lists of the providers, read once a day. A day that is not `compared` yet may lack movements. Differences are listed as money cases.',
      operationId: 'getReconciliation',
      rule: by(reconciliationPolicy, 'read'),
      params: OrganizationParams,
      query: ReconciliationQuery,
      response: ReconciliationJson,
      textResponse: 'text/csv',
    },
    async ({ actor, query }) => {
      authorize(actor, reconciliationPolicy, 'read');
      const report = await readReconciliation(query);
      if (query.format === 'json') return { ...report, total: totalOf(report.days) };
      return csvAnswer(`reconciliation-${report.from}-${report.to}`, reconciliationTable(report));
    },
  ),
]);
