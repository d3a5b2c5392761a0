import { cents, name, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { duplicateValue, invalid } from '../../errors.js';

/** A purpose that gifts are for. */
export class Fund extends defineModel({
  table: 'funds',
  subject: 'fund',
  columns: {
    ...tenantKeys,
    name: name(200),
    description: text(2000).nullable(),
    goal_cents: cents(1).nullable(),
    is_default: yesOrNo().default(false),
    is_active: yesOrNo().default(true),
    total_cents: cents(0).default(0).serverSet().meta({ description: 'The sum of its gifts, less what went back.' }),
    ...stamps,
  },
  constraints: {
    funds_name_unique: duplicateValue('name', 'Another fund has this name.'),
    funds_one_default: duplicateValue('is_default', 'Another fund is the default.'),
    funds_default_is_active: () => invalid('is_active', 'The default fund must be active.'),
  },
}) {}
