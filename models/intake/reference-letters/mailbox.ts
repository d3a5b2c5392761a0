/** A mailbox has many addresses: mail to `ada+letters@example.org` arrives at `ada@example.org`. */

/** The address without the part after `+`. Two addresses with the same result are one person's. */
export const mailboxOf = (address: string): string => address.replace(/^([^@+]+)\+[^@]*@/, '$1@');

/** Returns the SQL of `mailboxOf`. @param address an expression */
export const mailboxSql = (address: string): string =>
  String.raw`regexp_replace(${address}, '^([^@+]+)\+[^@]*@', '\1@')`;
