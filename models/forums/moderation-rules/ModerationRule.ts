import { oneOf, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { RULE_ACTIONS, RULE_KINDS } from '../vocabulary.js';
import { MAX_PATTERN_LENGTH } from './patterns.js';

/** A rule of an organization by which texts of its forums are checked when they are written. */
export class ModerationRule extends defineModel({
  table: 'moderation_rules',
  subject: 'moderation_rule',
  columns: {
    ...tenantKeys,
    kind: oneOf(RULE_KINDS).meta({ description: '`keyword`: words of a text. `link`: a domain with its subdomains.' }),
    pattern: text(MAX_PATTERN_LENGTH).meta({
      description:
        'A word, a phrase of up to ten words, or a domain. `*` stands for any letters and digits of a word. Case, invisible characters, and Cyrillic and Greek letters that look like Latin ones make no difference.',
    }),
    action: oneOf(RULE_ACTIONS).meta({
      description: '`flag`: the text waits for the decision of a moderator. `block`: the text is not saved.',
    }),
    message: text(500).nullable().meta({ description: 'What the author of a blocked text reads.' }),
    is_active: yesOrNo().default(true),
    ...stamps,
  },
}) {}
