import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, day, link, moment, name, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { refuse } from '../../errors.js';
import { requestErrors } from '../requests/errors.js';
import { POSITIONS } from '../vocabulary.js';

export const PLAN_STATES = ['scheduled', 'begun', 'cancelled', 'refused', 'failed'] as const;

/** A term that is planned for a later day and checked again on that day. */
export class PlannedTerm extends defineModel({
  table: 'planned_terms',
  subject: 'planned_term',
  person: 'membership_id',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').serverSet(),
    membership_id: link().as('membership').serverSet(),
    position: oneOf(POSITIONS).serverSet(),
    title: name(100).nullable().serverSet(),
    starts_on: day(),
    ends_on: day().nullable(),
    predecessor_id: link()
      .as('predecessor')
      .nullable()
      .serverSet()
      .meta({ description: 'The term that ends when this one begins.' }),
    state: oneOf(PLAN_STATES).default('scheduled').serverSet(),
    refusal: column(DataTypes.TEXT, z.string()).nullable().serverSet().meta({
      description: 'The error code with which it was refused on its day; `unforeseen` after an internal error.',
      example: 'not_in_active_standing',
    }),
    requested_by: link().nullable().serverSet(),
    cancelled_by: link().nullable().serverSet(),
    ended_at: moment().nullable(),
    ...stamps,
  },
  constraints: {
    planned_terms_once: () => refuse.duplicate('A term of this member in this office is already planned.'),
    planned_terms_predecessor: requestErrors.request_open,
  },
}) {}
