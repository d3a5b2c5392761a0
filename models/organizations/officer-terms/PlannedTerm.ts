import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, day, link, moment, name, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { refuse } from '../../errors.js';
import { requestErrors } from '../requests/errors.js';
import { POSITIONS } from '../vocabulary.js';

export const PLAN_STATES = ['scheduled', 'begun', 'cancelled', 'refused', 'failed'] as const;

/** An office that somebody takes on a day to come; it is checked again on it. */
export class PlannedTerm extends defineModel({
  table: 'planned_terms',
  subject: 'planned_term',
  person: 'membership_id',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').kept(),
    membership_id: link().as('membership').kept(),
    position: oneOf(POSITIONS).kept(),
    title: name(100).nullable().kept(),
    starts_on: day(),
    ends_on: day().nullable(),
    predecessor_id: link().as('predecessor').nullable().kept().meta({ description: 'The term that ends with it.' }),
    state: oneOf(PLAN_STATES).default('scheduled').kept(),
    refusal: column(DataTypes.TEXT, z.string()).nullable().kept().meta({
      description: 'The code with which it was refused on its day; `unforeseen` where it failed by a fault of ours.',
      example: 'not_in_active_standing',
    }),
    requested_by: link().nullable().kept(),
    cancelled_by: link().nullable().kept(),
    ended_at: moment().nullable(),
    ...stamps,
  },
  constraints: {
    planned_terms_once: () => refuse.duplicate('This member is to take this office already.'),
    planned_terms_predecessor: requestErrors.request_open,
  },
}) {}
