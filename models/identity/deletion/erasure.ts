/** The rules by which one area of the platform erases or keeps a person's data when the account is deleted. */
export interface Erasure {
  /** Tables whose rows are deleted at the end, each with the column that names the person. */
  deletedTables?: Readonly<Record<string, string>>;
  /** Columns that are erased while their rows stay, by table. */
  erasedColumns?: Readonly<Record<string, readonly string[]>>;
  /** Columns that keep their value, as `table.column`, each with the reason. */
  retainedColumns?: Readonly<Record<string, string>>;
  /**
   * Erases the person in one organization that they are connected with. A second run changes nothing.
   * @returns how many rows it changed, and counts for the organization's audit log
   */
  inOrganization?(
    userId: string,
    provenAddresses: string[],
  ): Promise<{ changed: number; auditDetails?: Record<string, number> }>;
}
