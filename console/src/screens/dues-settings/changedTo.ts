/**
 * Says that another person has changed a value while its form was open. The form keeps what was typed, and sends it
 * with the version of the new value.
 * @param opened text of the value when the form was opened
 * @param current text of the value now
 */
export const changedTo = (opened: string, current: string): string | undefined =>
  opened === current ? undefined : `Changed meanwhile to: ${current || 'empty'}.`;
