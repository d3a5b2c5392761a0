export const LEDGER_CHECK_STATUSES = ['running', 'passed', 'failed', 'cancelled'] as const;
