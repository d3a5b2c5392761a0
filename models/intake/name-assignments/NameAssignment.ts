import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, name, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { requestColumns } from '../../organizations/requests/columns.js';
import { requestErrors } from '../../organizations/requests/errors.js';

/**
 * A name that a chapter proposes for a prospective member. An admin of the organization decides on it; approval makes
 * the person a member.
 */
export class NameAssignment extends defineModel({
  table: 'pnm_name_assignments',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').serverSet(),
    profile_id: link().as('pnm').serverSet(),
    name: name(100).fixed().meta({ example: 'Aurora' }),
    name_key: column(DataTypes.TEXT, z.string()).serverSet().hidden(),
    ...requestColumns(['proposed']),
    ...stamps,
  },
  constraints: {
    pnm_name_assignments_open: requestErrors.request_open,
    pnm_name_assignments_own: requestErrors.own_request,
  },
}) {}
