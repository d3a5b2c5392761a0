/**
 * Compares mailboxes and not addresses: mail to `ada+letters@example.org` arrives in the mailbox of `ada@example.org`.
 */

/** Returns the address without the part after `+`. Two addresses with the same result belong to one mailbox. */
export const mailboxOf = (address: string): string => address.replace(/^([^@+]+)\+[^@]*@/, '$1@');

/**
 * Returns `mailboxOf` as an SQL expression.
 * @param address SQL expression of an address
 */
export const mailboxSql = (address: string): string =>
  String.raw`regexp_replace(${address}, '^([^@+]+)\+[^@]*@', '\1@')`;
