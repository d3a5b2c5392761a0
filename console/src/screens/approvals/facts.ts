/** The facts of a request. Facts without a value are left out. */
export interface Fact {
  label: string;
  text?: string | null;
  at?: string | null;
  cents?: number | null;
  /** Ids of rows. */
  chapter?: string | null;
  membership?: string | null;
  invoice?: string | null;
  file?: string | null;
}
