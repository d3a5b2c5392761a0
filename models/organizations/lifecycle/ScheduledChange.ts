import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, day, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { organizationsErrors } from '../errors.js';
import { MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../vocabulary.js';
import { AUTHORITY_LEVELS } from './transitions.js';

export const CHANGE_STATES = ['scheduled', 'applied', 'cancelled', 'refused', 'failed'] as const;

/** A change of status, role or chapter that is scheduled for a later day and checked again on that day. */
export class ScheduledChange extends defineModel({
  table: 'membership_scheduled_changes',
  subject: 'scheduled_change',
  person: 'membership_id',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').serverSet(),
    status: oneOf(MEMBERSHIP_STATUSES).nullable(),
    role: oneOf(MEMBERSHIP_ROLES).nullable(),
    to_chapter_id: link()
      .as('to_chapter')
      .nullable()
      .serverSet()
      .meta({ description: 'The new chapter of a scheduled transfer, which changes nothing else.' }),
    effective_on: day(),
    reason: text(500).nullable(),
    hand: oneOf(AUTHORITY_LEVELS).serverSet().hidden(),
    state: oneOf(CHANGE_STATES).default('scheduled').serverSet(),
    refusal: column(DataTypes.TEXT, z.string()).nullable().serverSet().meta({
      description: 'The error code with which it was refused on its day; `unforeseen` after an internal error.',
      example: 'transition_not_allowed',
    }),
    requested_by: link().nullable().serverSet(),
    cancelled_by: link().nullable().serverSet(),
    ended_at: moment().nullable(),
    ...stamps,
  },
  constraints: {
    membership_scheduled_changes_one_a_day: organizationsErrors.change_scheduled,
    membership_scheduled_changes_one_transfer: organizationsErrors.transfer_in_progress,
  },
}) {}
