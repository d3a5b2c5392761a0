/** Hint below the fields of new passwords. The API checks the rule. */
export const PASSWORD_RULE = 'At least 10 characters, and not easy to guess.';
