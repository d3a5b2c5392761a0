/** Options of a read that is repeated every 10 s while the page is visible. A screen polls at most two addresses. */
export const POLLED = { refetchInterval: 10_000, refetchIntervalInBackground: false } as const;
