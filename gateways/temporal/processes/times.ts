import type { google } from '@temporalio/proto';

type Timestamp = google.protobuf.ITimestamp | null | undefined;
type Duration = google.protobuf.IDuration | null | undefined;

/** Converts a timestamp of Temporal; null if it is absent. */
export function dateOf(timestamp: Timestamp): Date | null {
  const ms = millisecondsOf(timestamp);
  return ms === 0 ? null : new Date(ms);
}

export const millisecondsOf = (span: Timestamp | Duration): number =>
  Number(span?.seconds ?? 0) * 1_000 + Math.floor((span?.nanos ?? 0) / 1_000_000);
