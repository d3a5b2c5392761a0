import { z } from 'zod';
import { cents, link, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { MEMBERSHIP_STATUSES } from '../../organizations/vocabulary.js';
import { financesErrors } from '../errors.js';

/**
 * The dues for one term of a member who has a certain status. A later change does not affect invoices that are already
 * issued.
 */
export class DuesRate extends defineModel({
  table: 'dues_rates',
  subject: 'dues_rate',
  columns: {
    ...tenantKeys,
    term_id: link().as('term').fixed(),
    status: oneOf(MEMBERSHIP_STATUSES).fixed().meta({ description: 'The member status that owes this.' }),
    amount_cents: cents(1).meta({ example: 12_500 }),
    ...stamps,
  },
  derived: {
    term_name: derived(z.string(), `(SELECT name FROM terms WHERE id = dues_rates.term_id)`),
  },
  constraints: {
    dues_rates_term_status_unique: financesErrors.rate_exists,
    dues_rates_organization_id_term_id_fkey: () => invalid('term', 'There is no such term.'),
  },
}) {}
