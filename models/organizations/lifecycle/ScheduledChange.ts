import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, day, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { organizationsErrors } from '../errors.js';
import { MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../vocabulary.js';
import { HANDS } from './transitions.js';

export const CHANGE_STATES = ['scheduled', 'applied', 'cancelled', 'refused', 'failed'] as const;

/** A change of status or role, or of the chapter, that holds from a day to come, and is checked again on it. */
export class ScheduledChange extends defineModel({
  table: 'membership_scheduled_changes',
  subject: 'scheduled_change',
  person: 'membership_id',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').kept(),
    status: oneOf(MEMBERSHIP_STATUSES).nullable(),
    role: oneOf(MEMBERSHIP_ROLES).nullable(),
    to_chapter_id: link()
      .as('to_chapter')
      .nullable()
      .kept()
      .meta({ description: 'Of a transfer, which changes nothing else.' }),
    effective_on: day(),
    reason: text(500).nullable(),
    hand: oneOf(HANDS).kept().hidden(),
    state: oneOf(CHANGE_STATES).default('scheduled').kept(),
    refusal: column(DataTypes.TEXT, z.string()).nullable().kept().meta({
      description: 'The code with which it was refused on its day; `unforeseen` where it failed by a fault of ours.',
      example: 'transition_not_allowed',
    }),
    requested_by: link().nullable().kept(),
    cancelled_by: link().nullable().kept(),
    ended_at: moment().nullable(),
    ...stamps,
  },
  constraints: {
    membership_scheduled_changes_one_a_day: organizationsErrors.change_scheduled,
    membership_scheduled_changes_one_transfer: organizationsErrors.transfer_in_progress,
  },
}) {}
