import { z } from 'zod';
import { link, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { BILLING_MODES } from '../dues-settings/OrgDuesSettings.js';
import { financesErrors } from '../errors.js';

/**
 * A chapter's own billing mode. It replaces the organization's billing mode from its term on, until a later override.
 */
export class ChapterBillingOverride extends defineModel({
  table: 'chapter_billing_overrides',
  subject: 'billing_override',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').fixed(),
    effective_term_id: link()
      .as('effective_term')
      .meta({ description: 'Applies from this term on, until a later override.' }),
    billing_mode: oneOf(BILLING_MODES),
    ...stamps,
  },
  derived: {
    chapter_name: derived(z.string(), `(SELECT name FROM chapters WHERE id = chapter_billing_overrides.chapter_id)`),
    effective_term_name: derived(
      z.string(),
      `(SELECT name FROM terms WHERE id = chapter_billing_overrides.effective_term_id)`,
    ),
    effective_from: derived(
      z.iso.date().meta({ description: "The term's first day." }),
      `(SELECT starts_on FROM terms WHERE id = chapter_billing_overrides.effective_term_id)`,
    ),
  },
  constraints: {
    billing_overrides_chapter_term_unique: financesErrors.override_exists,
    chapter_billing_overrides_organization_id_chapter_id_fkey: () => invalid('chapter', 'There is no such chapter.'),
    // Postgres truncates the generated constraint name to 63 bytes, so its end is missing here.
    chapter_billing_overrides_organization_id_effective_term_i_fkey: () =>
      invalid('effective_term', 'There is no such term.'),
  },
}) {}
