import { z } from 'zod';
import { day, link, name, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid, refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { POSITIONS } from '../vocabulary.js';

/**
 * A member's term in an office of a chapter. A trigger derives the roles officer and president from the running terms.
 */
export class OfficerTerm extends defineModel({
  table: 'officer_terms',
  subject: 'officer_term',
  person: 'membership_id',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').serverSet(),
    membership_id: link().as('membership').fixed(),
    position: oneOf(POSITIONS).fixed(),
    title: name(100).nullable().meta({ example: 'Scholarship chair' }),
    starts_on: day(),
    ends_on: day().nullable().meta({
      description: 'The planned end. After it the term continues until a successor begins or an admin ends it.',
    }),
    ended_on: day().nullable().serverSet().meta({ description: 'Null: the term is running.' }),
    ...stamps,
  },
  derived: {
    name: derived(
      z.string(),
      `(SELECT u.first_name || ' ' || u.last_name FROM memberships m JOIN users u ON u.id = m.user_id
         WHERE m.organization_id = officer_terms.organization_id AND m.id = officer_terms.membership_id)`,
    ),
    holds_over: derived(
      z.boolean(),
      '(officer_terms.ended_on IS NULL AND officer_terms.ends_on < app.today()) IS TRUE',
    ),
  },
  constraints: {
    officer_terms_president: organizationsErrors.office_taken,
    officer_terms_once: () => refuse.duplicate('This member already holds this office.'),
    officer_terms_planned: () => invalid('ends_on', 'Must not be before the term starts.'),
    officer_terms_days: () => invalid('ended_on', 'Must not be before the term starts.'),
  },
}) {}
