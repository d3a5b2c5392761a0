import { DuesRate } from '../../../models/finances/dues-rates/DuesRate.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { ordering } from '../../http/pagination.js';
import { nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { routes } from '../../http/routes.js';

const rate = resource(DuesRate, {
  policy: policy('dues rate', { read: [nationalAdmin], write: [nationalAdmin] }),
  tags: ['finances'],
});

export const duesRateRoutes = routes('/api/hq/dues/:organization_id/rates', [
  rate.page({
    summary: 'List dues rates',
    filters: ['term', 'status'],
    ordering: ordering(
      {
        created_at: 'dues_rates.created_at',
        amount_cents: 'dues_rates.amount_cents',
        term: '(SELECT starts_on FROM terms WHERE id = dues_rates.term_id)',
      },
      '-term',
    ),
  }),
  rate.create({ summary: 'Set the rate of a status for a term', errors: [financesErrors.rate_exists] }),
  rate.change({ summary: 'Change a rate', description: 'Invoices that were issued keep their amounts.' }),
  rate.remove({ summary: 'Remove a rate' }),
]);
