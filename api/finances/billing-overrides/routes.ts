import { ChapterBillingOverride } from '../../../models/finances/billing-overrides/ChapterBillingOverride.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { ordering } from '../../http/pagination.js';
import { nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { routes } from '../../http/routes.js';

const override = resource(ChapterBillingOverride, {
  policy: policy('billing override', { read: [nationalAdmin], write: [nationalAdmin] }),
  tags: ['finances'],
});
const errors = [financesErrors.override_exists];

export const billingOverrideRoutes = routes('/api/hq/dues/:organization_id/billing-overrides', [
  override.page({
    summary: 'List billing overrides',
    filters: ['chapter'],
    ordering: ordering(
      {
        effective_from: '(SELECT starts_on FROM terms WHERE id = chapter_billing_overrides.effective_term_id)',
        chapter_name: '(SELECT name FROM chapters WHERE id = chapter_billing_overrides.chapter_id)',
        created_at: 'chapter_billing_overrides.created_at',
      },
      '-effective_from',
    ),
  }),
  override.create({ summary: 'Override the billing mode of a chapter from a term on', errors }),
  override.change({ summary: 'Change a billing override', errors }),
  override.remove({ summary: 'Remove a billing override' }),
]);
