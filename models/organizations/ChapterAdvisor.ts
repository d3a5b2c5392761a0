import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, name, stamps, tenantKeys, text } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { refuse } from '../errors.js';
import { emailAddress } from '../fields.js';

/** A person whom a chapter may contact for advice. The row gives no account and no rights. */
export class ChapterAdvisor extends defineModel({
  table: 'chapter_advisors',
  subject: 'chapter_advisor',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').serverSet(),
    name: name(200).unlogged(),
    title: name(100).nullable().meta({ example: 'Faculty advisor' }),
    email: column(DataTypes.TEXT, emailAddress, z.string()).nullable().unlogged(),
    phone_number: text(32).nullable().unlogged(),
    ...stamps,
  },
  constraints: { chapter_advisors_organization_id_chapter_id_fkey: refuse.not_found },
}) {}
