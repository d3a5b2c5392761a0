/** What the deletion of an account means in one area. */
export interface Erasure {
  /** Tables of rows that are about the account alone, by the column that names the person: they go at the end. */
  deleted?: Readonly<Record<string, string>>;
  /** Columns that say nothing of the person afterwards, though their rows stay, by table. */
  emptied?: Readonly<Record<string, readonly string[]>>;
  /** Columns that stay as they are, as `table.column`, each with the reason. */
  kept?: Readonly<Record<string, string>>;
  /**
   * Carried out in each organization that the person has to do with. A second run finds nothing to do.
   * @returns how many rows it changed, and of these what the organization's audit log tells
   */
  inOrganization?(
    userId: string,
    provenAddresses: string[],
  ): Promise<{ changed: number; told?: Record<string, number> }>;
}
